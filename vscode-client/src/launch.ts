// The command that starts the server, and the one that runs the command line for rule pages.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as path from 'node:path';

import type { Interpreter } from './interpreter';
import type { LaunchSettings } from './settings';

/** A program with the arguments that make it `jaxref`; a subcommand follows. */
export interface Jaxref {
  readonly command: string;
  readonly args: readonly string[];
  /** In words, for the log and the status: "bundled", "from the environment", or the executable. */
  readonly source: string;
}

/** The `jaxref` inside the extension. Isolated: neither environment variables nor site-packages count. */
export function bundledJaxref(extensionFolder: string, interpreter: Interpreter): Jaxref {
  return {
    command: interpreter.executable,
    args: ['-I', '-S', '-X', 'utf8', path.join(extensionFolder, 'launcher', 'jaxref_server.py')],
    source: 'bundled',
  };
}

/** The `jaxref` of the interpreter's own environment, or why it cannot be used. */
export async function environmentJaxref(interpreter: Interpreter): Promise<Jaxref | { readonly failure: string }> {
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(
      interpreter.executable,
      ['-I', '-c', 'import jaxref'],
      { timeout: 15_000, windowsHide: true, cwd: path.dirname(interpreter.executable) },
      (error, _stdout, stderr) => {
        if (error === null) resolve(undefined);
        else resolve(stderr.trim().split(/\r?\n/).at(-1) || error.message);
      },
    );
  });
  if (failure !== undefined) return { failure };
  return { command: interpreter.executable, args: ['-I', '-X', 'utf8', '-m', 'jaxref'], source: 'from the environment' };
}

/** The first of the executables named in `jaxref.path` that exists. */
export function configuredJaxref(settings: LaunchSettings): Jaxref | undefined {
  const command = settings.path.find((entry) => path.isAbsolute(entry) && existsSync(entry));
  return command === undefined ? undefined : { command, args: [], source: command };
}

export function serverArguments(jaxref: Jaxref, settings: LaunchSettings): string[] {
  const file = settings.logFile === '' ? [] : ['--log-file', settings.logFile];
  return [...jaxref.args, 'server', '--stdio', '--log-level', settings.logLevel, ...file];
}

/** What `jaxref` prints for the given arguments. Rejects with the last line of its standard error. */
export function runJaxref(jaxref: Jaxref, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      jaxref.command,
      [...jaxref.args, ...args],
      { timeout: 20_000, windowsHide: true, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stderr.trim().split(/\r?\n/).at(-1) || error.message));
      },
    );
  });
}
