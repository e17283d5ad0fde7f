// The language status item: what the server does, and what it found in the file at hand.

import * as vscode from 'vscode';

import type { ServerState, Session } from './session';

export function createStatusItem(session: Session): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('jaxref.status', { language: 'python' });
  item.name = 'jaxref';
  const show = (): void => showState(item, session.state);
  show();
  return vscode.Disposable.from(
    item,
    session.onDidChangeState(show),
    vscode.languages.onDidChangeDiagnostics(show),
    vscode.window.onDidChangeActiveTextEditor(show),
  );
}

function showState(item: vscode.LanguageStatusItem, state: ServerState): void {
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
      item.detail = `${state.version} (${state.jaxref.source}${python})`;
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
