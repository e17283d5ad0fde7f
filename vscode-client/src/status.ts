// The language status item: what the server does, and what it found in the file at hand.

import * as vscode from 'vscode';

import { environmentLabel } from './environment-label';
import { moduleInformation } from './server-commands';
import type { ServerState, Session } from './session';

export function createStatusItem(session: Session): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('jaxref.status', { language: 'python' });
  item.name = 'jaxref';
  let known: { readonly uri: string; readonly label: string } | undefined;
  const show = (): void => showState(item, session.state, known !== undefined && known.uri === activeUri() ? known.label : undefined);
  const ask = async (): Promise<void> => {
    show();
    const label = await activeEnvironment(session);
    const uri = activeUri();
    known = label === undefined || uri === undefined ? undefined : { uri, label };
    show();
  };
  void ask();
  return vscode.Disposable.from(
    item,
    session.onDidChangeState(ask),
    vscode.languages.onDidChangeDiagnostics(() => (known?.uri === activeUri() ? show() : ask())),
    vscode.window.onDidChangeActiveTextEditor(ask),
  );
}

function activeUri(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

/** Which JAX counts for the file at hand. */
async function activeEnvironment(session: Session): Promise<string | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const { client } = session;
  if (document?.languageId !== 'python' || client === undefined || session.state.kind !== 'running') return undefined;
  const information = await moduleInformation(client, client.code2ProtocolConverter.asUri(document.uri));
  if (information === undefined) return undefined;
  return environmentLabel(information, vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath);
}

function showState(item: vscode.LanguageStatusItem, state: ServerState, environment: string | undefined): void {
  item.busy = state.kind === 'starting';
  item.severity = state.kind === 'failed' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
  switch (state.kind) {
    case 'starting':
      item.text = 'jaxref is starting';
      item.detail = '';
      item.command = { command: 'jaxref.showClientLog', title: 'Show Log' };
      break;
    case 'running': {
      const python = state.interpreter === undefined ? '' : `, Python ${state.interpreter.version.join('.')}`;
      item.text = `jaxref: ${countOf(vscode.window.activeTextEditor?.document.uri)}`;
      item.detail = [...(environment === undefined ? [] : [environment]), `jaxref ${state.version} (${state.jaxref.source}${python})`].join(' · ');
      item.command = { command: 'jaxref.showServerLog', title: 'Show Log' };
      break;
    }
    case 'off':
      item.text = 'jaxref is off';
      item.detail = state.reason;
      item.command = { command: 'jaxref.restart', title: 'Start' };
      break;
    case 'failed':
      item.text = 'jaxref does not run';
      item.detail = state.reason;
      item.command = { command: 'jaxref.restart', title: 'Try Again' };
      break;
  }
}

function countOf(uri: vscode.Uri | undefined): string {
  if (uri === undefined) return 'ready';
  const found = vscode.languages
    .getDiagnostics(uri)
    .filter((diagnostic) => diagnostic.source === 'jaxref' && diagnostic.severity <= vscode.DiagnosticSeverity.Information);
  if (found.length === 0) return 'nothing found in this file';
  return `${found.length} ${found.length === 1 ? 'problem' : 'problems'} in this file`;
}
