// The one server of this window: started, watched, restarted.

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type DocumentSelector } from 'vscode-languageclient/node';

import {
  chooseInterpreter,
  interpretersOnPath,
  noInterpreterMessage,
  type Candidate,
  type Interpreter,
} from './interpreter';
import { bundledJaxref, configuredJaxref, environmentJaxref, serverArguments, type Jaxref } from './launch';
import { pipeServerLog, type Logs } from './logs';
import type { ChosenEnvironments } from './python-environments';
import { RestartBudget } from './restart-budget';
import { expandVariables, readLaunchSettings, settingsForServer, type LaunchSettings } from './settings';

/** What the server is asked about. Cells are reached through the notebook they belong to. */
export const SELECTOR: DocumentSelector = ['file', 'untitled', 'inmemory', 'vscode-notebook-cell'].map((scheme) => ({
  scheme,
  language: 'python',
}));

export type ServerState =
  | { readonly kind: 'off'; readonly reason: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly version: string; readonly jaxref: Jaxref; readonly interpreter: Interpreter | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Settings for the server that may hold paths with variables. */
const PATH_KEYS = ['python', 'configuration'] as const;

/** How often a server that dies is started again, and within which time. */
const RESTARTS = 4;
const RESTARTS_WINDOW_MS = 3 * 60_000;

/** What is known of the processes behind one client. */
interface ServerLife {
  /** Whether one of them ever became ready. */
  ran: boolean;
  endedEarly: boolean;
  /** The last line on standard error. */
  lastWords: string;
}

export class Session implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  private current: ServerState = { kind: 'off', reason: 'not started yet' };
  private running: { client: LanguageClient; jaxref: Jaxref } | undefined;
  private work: Promise<void> = Promise.resolve();
  private pending: Promise<void> | undefined;

  /** Fires, too, when the server was told of other settings. */
  readonly onDidChangeState = this.changed.event;

  /** `settingKeys` are all settings of the extension, without the prefix `jaxref.`. */
  constructor(
    private readonly extensionFolder: string,
    private readonly settingKeys: readonly string[],
    private readonly environments: ChosenEnvironments,
    private readonly logs: Logs,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  get client(): LanguageClient | undefined {
    return this.running?.client;
  }

  /** The program that serves, or would serve: rule pages come from it too. */
  async jaxref(): Promise<Jaxref | undefined> {
    return this.running?.jaxref ?? (await this.resolveJaxref(launchSettings()))?.jaxref;
  }

  /** Stops what runs and starts anew. Calls during a restart share the one that follows it. */
  restart(reason: string): Promise<void> {
    if (this.pending === undefined) {
      this.logs.client.info(`starting the server: ${reason}`);
      this.pending = this.work.then(async () => {
        this.pending = undefined;
        await this.stopClient();
        await this.start();
      });
      this.work = this.pending.catch((error: unknown) => this.fail(`the jaxref server could not be started: ${String(error)}`));
    }
    return this.work;
  }

  async stop(): Promise<void> {
    this.work = this.work.then(() => this.stopClient());
    await this.work;
  }

  /** Tells the server that its settings, or the environment chosen for a folder, are no longer the same. */
  async announceConfiguration(): Promise<void> {
    if (this.running?.client.isRunning() === true) {
      await this.running.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
      this.changed.fire(this.current);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async start(): Promise<void> {
    const settings = launchSettings();
    if (!settings.enable) {
      this.become({ kind: 'off', reason: 'switched off by jaxref.enable' });
      return;
    }
    this.become({ kind: 'starting' });
    const resolved = await this.resolveJaxref(settings);
    if (resolved === undefined) return;
    const { jaxref, interpreter } = resolved;
    const args = serverArguments(jaxref, settings);
    this.logs.client.info(`${jaxref.command} ${args.join(' ')}`);
    const life: ServerLife = { ran: false, endedEarly: false, lastWords: '' };
    const client = this.createClient(jaxref, args, interpreter, life);
    this.running = { client, jaxref };
    try {
      await client.start();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      // A process that ends may be noticed by the pipe to it first.
      const ended = life.endedEarly || /\b(EPIPE|ECONNRESET|ERR_STREAM_DESTROYED)\b/.test(said);
      this.fail(`the jaxref server did not start: ${life.lastWords || (ended ? 'it ended at once' : said)}`);
    }
  }

  private createClient(
    jaxref: Jaxref,
    args: readonly string[],
    interpreter: Interpreter | undefined,
    life: ServerLife,
  ): LanguageClient {
    const budget = new RestartBudget(RESTARTS, RESTARTS_WINDOW_MS);
    const client = new LanguageClient(
      'jaxref',
      'jaxref',
      { command: jaxref.command, args: [...args], options: { cwd: this.extensionFolder } },
      {
        documentSelector: SELECTOR,
        diagnosticCollectionName: 'jaxref',
        outputChannel: this.logs.server,
        traceOutputChannel: this.logs.trace,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        stdioOptions: {
          stdout: () => undefined,
          stderr: (input, channel) => pipeServerLog(input, channel, (line) => (life.lastWords = line)),
        },
        initializationFailedHandler: () => false,
        errorHandler: {
          error: (_error, _message, count) => ({
            action: count !== undefined && count <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
          }),
          closed: () => {
            if (!life.ran) {
              // The next start would end like this one; whoever awaits this one says so.
              life.endedEarly = true;
              return { action: CloseAction.DoNotRestart, handled: true };
            }
            if (budget.allows(Date.now())) {
              this.logs.client.warn('the server ended unexpectedly and is started again');
              return { action: CloseAction.Restart, handled: true };
            }
            this.fail(`the jaxref server ended ${RESTARTS + 1} times within three minutes and is not started again`);
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
        middleware: {
          workspace: {
            configuration: async (params, token, next) => {
              const values = await next(params, token);
              if (!Array.isArray(values)) return values;
              return Promise.all(
                values.map((value: unknown, index) => {
                  const item = params.items[index];
                  return item?.section === 'jaxref' ? this.serverSettings(item.scopeUri) : value;
                }),
              );
            },
            // The server asks for its settings by folder; what would be pushed here holds every default.
            didChangeConfiguration: () => this.announceConfiguration(),
          },
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (this.running?.client !== client) return;
      if (newState === State.Starting) this.become({ kind: 'starting' });
      if (newState === State.Running) {
        life.ran = true;
        const version = client.initializeResult?.serverInfo?.version ?? 'unknown version';
        this.logs.client.info(`the server runs: ${version}, ${jaxref.source}`);
        this.become({ kind: 'running', version, jaxref, interpreter });
      }
    });
    return client;
  }

  /** What holds for a folder. The environment chosen in the Python extension counts where no setting, here or in a file, names one. */
  private async serverSettings(scopeUri: string | undefined): Promise<Record<string, unknown>> {
    const scope = scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri);
    const configuration = vscode.workspace.getConfiguration('jaxref', scope);
    const settings = settingsForServer(this.settingKeys, (key) => configuration.inspect(key));
    for (const key of PATH_KEYS) {
      const named = settings[key];
      if (typeof named === 'string') settings[key] = expandVariables(named, { workspaceFolder: folderOf(scope) });
    }
    const chosen = await this.environments.interpreterFor(scope);
    return chosen === undefined ? settings : { ...settings, environment: chosen.path };
  }

  private async resolveJaxref(
    settings: LaunchSettings,
  ): Promise<{ jaxref: Jaxref; interpreter: Interpreter | undefined } | undefined> {
    if (settings.path.length > 0) {
      const jaxref = configuredJaxref(settings);
      if (jaxref !== undefined) return { jaxref, interpreter: undefined };
      this.logs.client.warn(`none of jaxref.path is an absolute path that exists: ${settings.path.join(', ')}`);
    }
    const choice = await chooseInterpreter(this.candidates(settings));
    for (const { candidate, reason } of choice.rejected) {
      this.logs.client.warn(`not usable, from ${candidate.origin}: ${reason}`);
    }
    if (choice.kind === 'none') {
      this.fail(noInterpreterMessage(choice.rejected));
      return undefined;
    }
    const { interpreter } = choice;
    this.logs.client.info(`Python ${interpreter.version.join('.')} from ${interpreter.origin}: ${interpreter.executable}`);
    if (settings.importStrategy === 'fromEnvironment') {
      const installed = await environmentJaxref(interpreter);
      if ('command' in installed) return { jaxref: installed, interpreter };
      this.logs.client.warn(`the environment has no usable jaxref, the bundled one runs: ${installed.failure}`);
    }
    return { jaxref: bundledJaxref(this.extensionFolder, interpreter), interpreter };
  }

  /** In order of preference. One that is set by hand is the only candidate: its failure is said, not passed over. */
  private async *candidates(settings: LaunchSettings): AsyncGenerator<Candidate> {
    if (settings.interpreter !== '') {
      yield { command: settings.interpreter, origin: 'the setting jaxref.interpreter' };
      return;
    }
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (vscode.workspace.isTrusted) {
      const chosen = await this.environments.interpreterFor(folders[0]?.uri);
      if (chosen !== undefined) yield { command: chosen.path, origin: chosen.origin };
    }
    // Nothing from inside a workspace that is not trusted is started, even when PATH leads there.
    yield* interpretersOnPath(process.env, vscode.workspace.isTrusted ? [] : folders.map((folder) => folder.uri.fsPath));
  }

  private async stopClient(): Promise<void> {
    const running = this.running;
    this.running = undefined;
    if (running === undefined) return;
    try {
      await running.client.dispose();
    } catch (error) {
      // A server that never came up, or that hangs, cannot be stopped in good order.
      this.logs.client.debug(`stopping the server: ${String(error)}`);
    }
    this.become({ kind: 'off', reason: 'stopped' });
  }

  private become(state: ServerState): void {
    this.current = state;
    this.changed.fire(state);
  }

  private fail(reason: string): void {
    this.logs.client.error(reason);
    this.become({ kind: 'failed', reason });
    const openSettings = 'Open Settings';
    const showLog = 'Show Log';
    void vscode.window.showErrorMessage(reason, openSettings, showLog).then((choice) => {
      if (choice === openSettings) void vscode.commands.executeCommand('workbench.action.openSettings', 'jaxref.interpreter');
      if (choice === showLog) this.logs.client.show();
    });
  }
}

function launchSettings(): LaunchSettings {
  const configuration = vscode.workspace.getConfiguration('jaxref');
  return readLaunchSettings((key) => configuration.get(key), { workspaceFolder: folderOf(undefined) });
}

function folderOf(scope: vscode.Uri | undefined): string | undefined {
  const folder = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}
