import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  chooseInterpreter,
  interpretersOnPath,
  isNewEnough,
  isWithin,
  noInterpreterMessage,
  parseProbe,
  tryInterpreter,
  type Candidate,
} from '../src/interpreter';

const posix = { skip: process.platform === 'win32' ? 'uses shell scripts' : false };

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'jaxref-'));
}

/** An executable that runs `body` under the shell. */
function script(body: string, file = join(folder(), 'python3')): string {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

const python = (version: string, where = '/opt/python'): string => `echo '["${where}", [${version}]]'`;
const from = (...commands: string[]): Candidate[] => commands.map((command) => ({ command, origin: 'the test' }));

test('the last line of the probe counts, whatever was printed before it', () => {
  assert.deepEqual(parseProbe('Welcome!\n["/usr/bin/python3", [3, 12, 1]]\n'), { executable: '/usr/bin/python3', version: [3, 12, 1] });
});

test('what is no answer of Python is none', () => {
  for (const text of ['', 'Python 3.12.1', '[]', '["/x", [3, 12]]', '["/x", ["3", "12", "1"]]', '{"a": 1}']) {
    assert.equal(parseProbe(text), undefined, text);
  }
});

test('Python 3.11 and later 3.x are new enough, others are not', () => {
  assert.deepEqual(
    [[3, 10, 13], [3, 11, 0], [3, 13, 1], [2, 7, 18], [4, 0, 0]].map((version) => isNewEnough(version)),
    [false, true, true, false, false],
  );
});

test('the interpreter says itself where it is: a shim is not started again', posix, async () => {
  const shim = script(python('3, 12, 4'));
  const found = await tryInterpreter({ command: shim, origin: 'PATH' });
  assert.deepEqual(found, { executable: '/opt/python', version: [3, 12, 4], origin: 'PATH' });
});

test('the first usable candidate is chosen, and why the others were not is kept', posix, async () => {
  const missing = join(folder(), 'python3');
  const failing = script('echo "pyenv: version not installed" >&2; exit 1');
  const old = script(python('3, 9, 2'));
  const talking = script('echo hello');
  const good = script(python('3, 11, 0'));
  const unused = script(python('3, 13, 0', '/opt/other'));
  const choice = await chooseInterpreter(from(missing, failing, old, talking, good, unused));
  assert.equal(choice.kind === 'found' && choice.interpreter.executable, '/opt/python');
  assert.deepEqual(
    choice.rejected.map(({ reason }) => reason),
    [
      `${missing} does not exist`,
      `${failing} does not run as Python: pyenv: version not installed`,
      `${old} is Python 3.9.2`,
      `${talking} does not answer like Python`,
    ],
  );
});

test('a candidate that is named twice is tried once', posix, async () => {
  const counted = join(folder(), 'count');
  const old = script(`echo x >> ${counted}; ${python('3, 8, 0')}`);
  const choice = await chooseInterpreter(from(old, old));
  assert.equal(choice.rejected.length, 1);
});

test('a file that may not be executed is said to be that', posix, async () => {
  const file = script('exit 0');
  chmodSync(file, 0o644);
  const choice = await chooseInterpreter(from(file));
  assert.equal(choice.rejected[0]?.reason, `${file} may not be executed`);
});

test('PATH is searched by name first, then by folder, without relative and forbidden folders', posix, () => {
  const root = folder();
  const make = (where: string, name: string): string => {
    mkdirSync(join(root, where), { recursive: true });
    return script('exit 0', join(root, where, name));
  };
  const first = make('first', 'python');
  const second = make('second', 'python3');
  make('workspace/bin', 'python3');
  mkdirSync(join(root, 'second', 'python3.12'));
  const path = ['relative', join(root, 'workspace', 'bin'), join(root, 'first'), join(root, 'second')].join(':');
  const commands = (forbidden: string[]): string[] =>
    [...interpretersOnPath({ PATH: path }, forbidden, 'linux')].map(({ command }) => command);
  assert.deepEqual(commands([join(root, 'workspace')]), [second, first]);
  assert.equal(commands([])[0], join(root, 'workspace', 'bin', 'python3'));
});

test('an environment without PATH has no interpreters', () => {
  assert.deepEqual([...interpretersOnPath({}, [], 'linux')], []);
});

test('a folder that only begins like another is not within it', () => {
  assert.equal(isWithin('/home/me/project-other/bin', '/home/me/project'), false);
  assert.equal(isWithin('/home/me/project/bin', '/home/me/project'), true);
  assert.equal(isWithin('/home/me/project', '/home/me/project'), true);
});

test('the message says what is needed and what was tried, in one line', () => {
  const rejected = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ candidate: { command: name, origin: 'PATH' }, reason: `${name} is Python 3.9.0` }));
  assert.equal(
    noInterpreterMessage(rejected),
    'jaxref needs Python 3.11 or later to run its server: a is Python 3.9.0; b is Python 3.9.0; c is Python 3.9.0; 2 more in the log',
  );
  assert.equal(noInterpreterMessage([]), 'jaxref needs Python 3.11 or later to run its server and found none: set jaxref.interpreter to one');
});
