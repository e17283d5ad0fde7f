// The environment chosen in the Python extension, where there is one. Both extensions that know it are
// optional: jaxref works without them.

import { PythonEnvironments } from '@vscode/python-environments';
import { PythonExtension } from '@vscode/python-extension';
import * as vscode from 'vscode';

const ENVIRONMENTS_EXTENSION = 'ms-python.vscode-python-envs';
const PYTHON_EXTENSION = 'ms-python.python';

/** How long the server's start waits for another extension's activation and discovery. */
const PATIENCE_MS = 8_000;

type Ask = (scope: vscode.Uri | undefined) => Promise<string | undefined>;

export class ChosenEnvironments implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  /** The last answer by folder: the extensions also announce changes that change nothing. */
  private readonly known = new Map<string, string | undefined>();
  private connected: Promise<{ ask: Ask; origin: string } | undefined> | undefined;

  /** Fires when another interpreter is chosen for a folder that was asked about. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.disposables.push(
      vscode.extensions.onDidChange(() => {
        if (this.connected !== undefined && hasPythonExtension()) void this.reconnectIfUnconnected();
      }),
    );
  }

  /** The interpreter chosen for `scope` (a file or folder), with the extension that said so. */
  async interpreterFor(scope: vscode.Uri | undefined): Promise<{ path: string; origin: string } | undefined> {
    this.connected ??= this.connect();
    const connection = await withPatience(this.connected);
    if (connection === undefined) return undefined;
    try {
      const answer = await withPatience(connection.ask(scope));
      this.known.set(key(scope), answer);
      return answer === undefined ? undefined : { path: answer, origin: connection.origin };
    } catch (error) {
      this.log.warn(`${connection.origin} did not say which environment is chosen: ${String(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async connect(): Promise<{ ask: Ask; origin: string } | undefined> {
    if (vscode.extensions.getExtension(ENVIRONMENTS_EXTENSION) !== undefined) {
      try {
        const api = await PythonEnvironments.api();
        this.disposables.push(api.onDidChangeEnvironment((event) => this.compare(event.uri, event.new?.execInfo?.run.executable)));
        return {
          ask: async (scope) => (await api.getEnvironment(scope))?.execInfo?.run.executable,
          origin: 'the Python Environments extension',
        };
      } catch (error) {
        // It is installed but switched off by its own setting, or too old: the older API may answer.
        this.log.info(`the Python Environments extension offers no API: ${String(error)}`);
      }
    }
    if (vscode.extensions.getExtension(PYTHON_EXTENSION) !== undefined) {
      try {
        const { environments } = await PythonExtension.api();
        const ask: Ask = async (scope) => {
          const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(scope));
          return resolved?.executable.uri?.fsPath;
        };
        this.disposables.push(
          environments.onDidChangeActiveEnvironmentPath(async (event) => {
            const scope = event.resource instanceof vscode.Uri ? event.resource : event.resource?.uri;
            this.compare(scope, await ask(scope));
          }),
        );
        return { ask, origin: 'the Python extension' };
      } catch (error) {
        this.log.info(`the Python extension offers no API: ${String(error)}`);
      }
    }
    return undefined;
  }

  private async reconnectIfUnconnected(): Promise<void> {
    if ((await this.connected) !== undefined) return;
    this.connected = this.connect();
    if ((await this.connected) !== undefined) this.changed.fire();
  }

  private compare(scope: vscode.Uri | undefined, now: string | undefined): void {
    const where = key(scope);
    if (this.known.has(where) && this.known.get(where) === now) return;
    this.known.set(where, now);
    this.changed.fire();
  }
}

function hasPythonExtension(): boolean {
  return [ENVIRONMENTS_EXTENSION, PYTHON_EXTENSION].some((id) => vscode.extensions.getExtension(id) !== undefined);
}

function key(scope: vscode.Uri | undefined): string {
  const folder = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  return (folder?.uri ?? scope)?.toString() ?? '';
}

async function withPatience<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
