import * as vscode from 'vscode';

import { registerCommands } from './commands';
import { createLogs } from './logs';
import { ChosenEnvironments } from './python-environments';
import { registerRulePages } from './rule-pages';
import { Session } from './session';
import { LAUNCH_KEYS } from './settings';
import { createStatusItem } from './status';

let session: Session | undefined;

/** What other extensions, and the tests, may use. */
export interface Api {
  readonly session: Pick<Session, 'state' | 'onDidChangeState' | 'client'>;
}

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const logs = createLogs();
  const environments = new ChosenEnvironments(logs.client);
  const current = new Session(context.extensionPath, settingKeys(context), environments, logs);
  session = current;
  context.subscriptions.push(
    logs,
    environments,
    current,
    createStatusItem(current),
    registerCommands(context, current, logs),
    registerRulePages(current),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const launch = LAUNCH_KEYS.filter((key) => event.affectsConfiguration(`jaxref.${key}`));
      if (launch.length > 0) void current.restart(`changed settings: ${launch.join(', ')}`);
    }),
    environments.onDidChange(() => {
      // Any usable interpreter runs the bundled server; only what is analysed has changed.
      const needed = vscode.workspace.getConfiguration('jaxref').get('importStrategy') === 'fromEnvironment';
      if (needed || current.state.kind === 'failed') void current.restart('another Python environment was chosen');
      else void current.announceConfiguration();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void current.restart('the workspace is now trusted')),
  );
  await current.restart('the window opened a Python file');
  return { session: current };
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

function settingKeys(context: vscode.ExtensionContext): string[] {
  const manifest = context.extension.packageJSON as { contributes: { configuration: { properties: Record<string, unknown> } } };
  return Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace(/^jaxref\./, ''));
}
