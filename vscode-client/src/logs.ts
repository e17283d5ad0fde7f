// Three channels: what the extension does, what the server says, and the messages between them.

import * as readline from 'node:readline';
import type { Readable } from 'node:stream';
import * as vscode from 'vscode';

import { levelOf } from './log-level';

export interface Logs extends vscode.Disposable {
  readonly client: vscode.LogOutputChannel;
  readonly server: vscode.LogOutputChannel;
  readonly trace: vscode.LogOutputChannel;
}

export function createLogs(): Logs {
  const client = vscode.window.createOutputChannel('jaxref', { log: true });
  const server = vscode.window.createOutputChannel('jaxref server', { log: true });
  const trace = vscode.window.createOutputChannel('jaxref trace', { log: true });
  return {
    client,
    server,
    trace,
    dispose: () => {
      for (const channel of [client, server, trace]) channel.dispose();
    },
  };
}

/**
 * Writes the lines of the server's standard error into its channel, each at the level it names, and
 * gives each one to `heard`.
 */
export function pipeServerLog(input: Readable, channel: vscode.LogOutputChannel, heard: (line: string) => void): void {
  readline.createInterface({ input, crlfDelay: Infinity, terminal: false, historySize: 0 }).on('line', (line) => {
    channel[levelOf(line)](line);
    if (line.trim() !== '') heard(line.trim());
  });
}
