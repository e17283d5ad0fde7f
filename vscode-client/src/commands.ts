// The commands that do not need a file of their own.

import * as vscode from 'vscode';

import { checkWorkspace } from './check-workspace';
import { EXAMPLE } from './example';
import type { Logs } from './logs';
import { SERVER_INFORMATION } from './server-commands';
import type { Session } from './session';

const FIX_ALL = vscode.CodeActionKind.SourceFixAll.append('jaxref');

export function registerCommands(context: vscode.ExtensionContext, session: Session, logs: Logs): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    register('jaxref.restart', () => session.restart('asked for by command')),
    register('jaxref.showServerLog', () => logs.server.show()),
    register('jaxref.showClientLog', () => logs.client.show()),
    register('jaxref.showServerInformation', () => showInformation(context, session)),
    register('jaxref.fixAll', fixAll),
    register('jaxref.checkWorkspace', () => checkWorkspace(session)),
    register('jaxref.openExample', async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'python', content: EXAMPLE });
      await vscode.window.showTextDocument(document);
    }),
    register('jaxref.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#jaxref`),
    ),
  );
}

async function fixAll(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const { document } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    whole,
    FIX_ALL.value,
    1,
  );
  const action = actions.find((candidate) => candidate.kind !== undefined && FIX_ALL.contains(candidate.kind) && candidate.edit);
  if (action?.edit === undefined) {
    void vscode.window.showInformationMessage('jaxref has no safe fix for this file');
    return;
  }
  await vscode.workspace.applyEdit(action.edit);
}

async function showInformation(context: vscode.ExtensionContext, session: Session): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: await information(context, session) });
  await vscode.window.showTextDocument(document);
}

/** Everything a report of a problem should hold, as Markdown. */
async function information(context: vscode.ExtensionContext, session: Session): Promise<string> {
  const { state, client } = session;
  const result = client?.initializeResult;
  const rows: [string, string][] = [
    ['extension', String((context.extension.packageJSON as { version?: unknown }).version)],
    ['VS Code', `${vscode.version} (${vscode.env.appName}${vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`})`],
    ['workspace', vscode.workspace.isTrusted ? 'trusted' : 'not trusted'],
    ['server', state.kind === 'running' ? `${state.version}, ${state.jaxref.source}` : `${state.kind}${'reason' in state ? `: ${state.reason}` : ''}`],
  ];
  if (state.kind === 'running') {
    rows.push(['command', [state.jaxref.command, ...state.jaxref.args].join(' ')]);
    if (state.interpreter !== undefined) {
      rows.push(['Python', `${state.interpreter.version.join('.')} from ${state.interpreter.origin}`]);
    }
  }
  if (result !== undefined) {
    rows.push(['position encoding', result.capabilities.positionEncoding ?? 'utf-16']);
    rows.push(['capabilities', Object.keys(result.capabilities).sort().join(', ')]);
  }
  const scopes = vscode.workspace.workspaceFolders?.map((folder) => [folder.name, folder.uri] as const) ?? [['no folder', undefined] as const];
  const settings = scopes.map(
    ([name, uri]) => `### ${name}\n\n\`\`\`json\n${JSON.stringify(vscode.workspace.getConfiguration('jaxref', uri), undefined, 2)}\n\`\`\`\n`,
  );
  const server = await serverInformation(session);
  return [
    '# jaxref',
    '',
    ...rows.map(([name, value]) => `- ${name}: ${value}`),
    '',
    '## Settings',
    '',
    ...settings,
    ...(server === undefined ? [] : ['## What the server says', '', '```json', server, '```', '']),
  ].join('\n');
}

/** What the server knows of itself and of the open files, as JSON; undefined when it does not say. */
async function serverInformation(session: Session): Promise<string | undefined> {
  const offered = session.client?.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (session.state.kind !== 'running' || !offered.includes(SERVER_INFORMATION)) return undefined;
  try {
    return JSON.stringify(await vscode.commands.executeCommand(SERVER_INFORMATION), undefined, 2);
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}
