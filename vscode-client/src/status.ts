// The language status item: what the server does, and what it found in the file at hand.

import * as vscode from 'vscode';

import { environmentLabel } from './environment-label';
import { moduleInformation } from './server-commands';
import type { ServerState, Session } from './session';

export function createStatusItem(session: Session): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('jaxref.status', { language: 'python' });
  item.name = 'jaxref';
  let known: Known | undefined;
  const show = (): void => showState(item, session.state, known?.uri === activeUri() ? known : undefined);
  const ask = async (): Promise<void> => {
    show();
    const answer = await activeFile(session);
    // Another file may be at hand by now, of which more is known already.
    if (answer === undefined || answer.uri === activeUri()) known = answer;
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

/** What the server says of the file at hand. */
interface Known {
  readonly uri: string;
  /** Which JAX counts. */
  readonly environment: string;
  /** Why nothing is reported of it, where that is so. */
  readonly unchecked: string | undefined;
}

async function activeFile(session: Session): Promise<Known | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const { client } = session;
  if (document?.languageId !== 'python' || client === undefined || session.state.kind !== 'running') return undefined;
  const information = await moduleInformation(client, client.code2ProtocolConverter.asUri(document.uri));
  if (information === undefined) return undefined;
  const why = information.diagnosticMode === 'off' ? 'findings are switched off' : 'this file is excluded';
  return {
    uri: document.uri.toString(),
    environment: environmentLabel(information, vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath),
    unchecked: information.excluded ? why : undefined,
  };
}

function showState(item: vscode.LanguageStatusItem, state: ServerState, known: Known | undefined): void {
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
      item.text = `jaxref: ${known?.unchecked ?? countOf(vscode.window.activeTextEditor?.document.uri)}`;
      item.detail = [...(known === undefined ? [] : [known.environment]), `jaxref ${state.version} (${state.jaxref.source}${python})`].join(' · ');
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
