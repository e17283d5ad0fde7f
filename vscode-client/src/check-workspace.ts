// "Check Workspace Once": every file of the workspace, with progress and the choice to stop.

import { randomUUID } from 'node:crypto';

import * as vscode from 'vscode';
import { ExecuteCommandRequest, WorkDoneProgress, WorkDoneProgressCancelNotification, type LanguageClient } from 'vscode-languageclient/node';

import { SERVER_CHECK } from './server-commands';
import type { Session } from './session';

/** How the check went. */
interface Checked {
  readonly files: number;
  readonly findings: number;
  readonly stopped: boolean;
}

export async function checkWorkspace(session: Session): Promise<Checked | undefined> {
  const { client } = session;
  if (client === undefined || session.state.kind !== 'running') {
    void vscode.window.showWarningMessage('jaxref does not run, so the workspace is not checked');
    return undefined;
  }
  const checked = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'jaxref checks the workspace', cancellable: true },
    (progress, cancelled) => check(client, progress, cancelled),
  );
  void tell(checked);
  return checked;
}

async function check(
  client: LanguageClient,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  cancelled: vscode.CancellationToken,
): Promise<Checked> {
  const workDoneToken = randomUUID();
  let shown = 0;
  const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
    if (value.kind === 'end') return;
    const { percentage = shown } = value;
    progress.report({ increment: percentage - shown, ...(value.message === undefined ? {} : { message: value.message }) });
    shown = percentage;
  });
  const stopping = cancelled.onCancellationRequested(() => client.sendNotification(WorkDoneProgressCancelNotification.type, { token: workDoneToken }));
  try {
    return (await client.sendRequest(ExecuteCommandRequest.type, { command: SERVER_CHECK, workDoneToken })) as Checked;
  } finally {
    listening.dispose();
    stopping.dispose();
  }
}

async function tell({ files, findings, stopped }: Checked): Promise<void> {
  const what = `${findings === 0 ? 'no' : findings} ${findings === 1 ? 'problem' : 'problems'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  const show = 'Show Problems';
  const message = `jaxref found ${what} that ${files === 1 ? 'is' : 'are'} not open${stopped ? '; it was stopped early' : ''}`;
  const choice = await vscode.window.showInformationMessage(message, ...(findings === 0 ? [] : [show]));
  if (choice === show) void vscode.commands.executeCommand('workbench.actions.view.problems');
}
