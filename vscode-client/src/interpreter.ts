// Which Python runs the server: candidates in order of preference, each one tried out.

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';

/** The oldest Python that the bundled server runs on. */
export const MINIMUM: readonly [number, number] = [3, 11];

/** Names looked up on PATH, in order; a plain `python3` may be older than a versioned one beside it. */
const NAMES = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

const PROBE = 'import json, sys; print(json.dumps([sys.executable, list(sys.version_info[:3])]))';
const PROBE_TIMEOUT_MS = 15_000;

/** An interpreter that may do, and where the idea came from, in words for the log. */
export interface Candidate {
  readonly command: string;
  readonly origin: string;
}

/** An interpreter that was run and is new enough. */
export interface Interpreter {
  /** Absolute path as the interpreter itself reports it. */
  readonly executable: string;
  readonly version: readonly [number, number, number];
  readonly origin: string;
}

/** A candidate that will not do, with the reason in the words of a message: "/usr/bin/python3 is Python 3.9.2". */
export interface Rejection {
  readonly candidate: Candidate;
  readonly reason: string;
}

export type Choice =
  | { readonly kind: 'found'; readonly interpreter: Interpreter; readonly rejected: readonly Rejection[] }
  | { readonly kind: 'none'; readonly rejected: readonly Rejection[] };

/** Tries candidates one after the other and stops at the first that runs and is new enough. */
export async function chooseInterpreter(candidates: AsyncIterable<Candidate> | Iterable<Candidate>): Promise<Choice> {
  const rejected: Rejection[] = [];
  const seen = new Set<string>();
  for await (const candidate of candidates) {
    if (seen.has(candidate.command)) continue;
    seen.add(candidate.command);
    const tried = await tryInterpreter(candidate);
    if ('executable' in tried) return { kind: 'found', interpreter: tried, rejected };
    rejected.push(tried);
  }
  return { kind: 'none', rejected };
}

/** Runs the candidate, isolated from its environment, and asks for its version. */
export async function tryInterpreter(candidate: Candidate): Promise<Interpreter | Rejection> {
  const reject = (reason: string): Rejection => ({ candidate, reason });
  const { command } = candidate;
  const answer = await new Promise<{ text: string } | { failure: string }>((resolve) => {
    execFile(
      command,
      ['-I', '-S', '-c', PROBE],
      // Not the workspace's folder: on Windows a program is also looked up in the working directory.
      { timeout: PROBE_TIMEOUT_MS, windowsHide: true, cwd: path.isAbsolute(command) ? path.dirname(command) : undefined },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ text: stdout });
        const code = (error as NodeJS.ErrnoException).code;
        if (code === 'ENOENT') return resolve({ failure: 'does not exist' });
        if (code === 'EACCES') return resolve({ failure: 'may not be executed' });
        if (error.killed === true) return resolve({ failure: `did not answer within ${PROBE_TIMEOUT_MS / 1000} s` });
        resolve({ failure: `does not run as Python: ${firstLine(stderr) || firstLine(error.message)}` });
      },
    );
  });
  if ('failure' in answer) return reject(`${command} ${answer.failure}`);
  const parsed = parseProbe(answer.text);
  if (parsed === undefined) return reject(`${command} does not answer like Python`);
  const { executable, version } = parsed;
  if (!isNewEnough(version)) return reject(`${command} is Python ${version.join('.')}`);
  return { executable: executable || command, version, origin: candidate.origin };
}

/** The interpreter's own path and version from what the probe printed, whatever was printed before it. */
export function parseProbe(text: string): { executable: string; version: [number, number, number] } | undefined {
  const last = text.trim().split(/\r?\n/).at(-1) ?? '';
  try {
    const value: unknown = JSON.parse(last);
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [executable, version] = value as [unknown, unknown];
    if (!Array.isArray(version) || version.length !== 3 || !version.every(Number.isInteger)) return undefined;
    return {
      executable: typeof executable === 'string' ? executable : '',
      version: version as [number, number, number],
    };
  } catch {
    return undefined;
  }
}

export function isNewEnough([major, minor]: readonly number[]): boolean {
  return major === MINIMUM[0] && minor !== undefined && minor >= MINIMUM[1];
}

/** Everything on PATH that is named like a Python, as absolute paths, `forbidden` folders left out. */
export function* interpretersOnPath(
  environment: NodeJS.ProcessEnv = process.env,
  forbidden: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Generator<Candidate> {
  const windows = platform === 'win32';
  const variable = windows ? Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') : 'PATH';
  const folders = (variable === undefined ? undefined : environment[variable])?.split(windows ? ';' : ':') ?? [];
  // A relative entry would mean another program in each folder that is opened.
  const usable = folders.filter((folder) => path.isAbsolute(folder) && !forbidden.some((root) => isWithin(folder, root)));
  const names = windows ? [...NAMES.map((name) => `${name}.exe`), 'py.exe'] : NAMES;
  for (const name of names) {
    for (const folder of usable) {
      const command = path.join(folder, name);
      if (isExecutableFile(command)) yield { command, origin: 'PATH' };
    }
  }
}

/** Whether `file` is `folder` or lies somewhere below it. */
export function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

/** What to tell the user when nothing will do: one line that says what was tried. */
export function noInterpreterMessage(rejected: readonly Rejection[]): string {
  const needed = `jaxref needs Python ${MINIMUM.join('.')} or later to run its server`;
  if (rejected.length === 0) return `${needed} and found none: set jaxref.interpreter to one`;
  const shown = rejected.slice(0, 3).map((rejection) => rejection.reason);
  if (rejected.length > shown.length) shown.push(`${rejected.length - shown.length} more in the log`);
  return `${needed}: ${shown.join('; ')}`;
}

function isExecutableFile(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? '';
}
