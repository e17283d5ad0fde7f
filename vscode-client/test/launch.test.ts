import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { bundledJaxref, configuredJaxref, environmentJaxref, runJaxref, serverArguments } from '../src/launch';
import { levelOf } from '../src/log-level';
import { RestartBudget } from '../src/restart-budget';
import { readLaunchSettings } from '../src/settings';

const interpreter = { executable: process.execPath, version: [3, 12, 0], origin: 'the test' } as const;
const settings = (values: Record<string, unknown>): ReturnType<typeof readLaunchSettings> =>
  readLaunchSettings((key) => values[key], { workspaceFolder: undefined });

test('the bundled server is isolated from environment variables and site-packages', () => {
  const jaxref = bundledJaxref('/ext', interpreter);
  assert.deepEqual(jaxref.args.slice(0, 2), ['-I', '-S']);
  assert.equal(jaxref.args.at(-1), join('/ext', 'launcher', 'jaxref_server.py'));
  assert.deepEqual(serverArguments(jaxref, settings({ logLevel: 'debug' })).slice(-4), ['server', '--stdio', '--log-level', 'debug']);
  assert.deepEqual(serverArguments(jaxref, settings({ logFile: '~/jaxref.log' })).slice(-2), ['--log-file', `${homedir()}/jaxref.log`]);
});

test('of the executables in jaxref.path the first absolute one that exists is taken', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'jaxref-')), 'jaxref');
  writeFileSync(file, '');
  assert.equal(configuredJaxref(settings({ path: ['jaxref', '/does/not/exist', file] }))?.command, file);
  assert.equal(configuredJaxref(settings({ path: ['jaxref'] })), undefined);
});

test('an environment without a usable jaxref says why', async () => {
  const tried = await environmentJaxref(interpreter);
  assert.ok('failure' in tried && tried.failure !== '');
});

test('a run that fails rejects with the last line of its standard error', async () => {
  const failing = { command: process.execPath, args: ['-e', 'console.error("first"); console.error("error: no rule is called `x`"); process.exit(2)'], source: '' };
  await assert.rejects(runJaxref(failing, []), new Error('error: no rule is called `x`'));
});

test('the level of a log line is the one that it names near its start', () => {
  assert.equal(levelOf('2026-12-01 04:23:15,151 DEBUG jaxref.lsp: received initialize'), 'debug');
  assert.equal(levelOf('2026-12-01 04:23:15,151 WARNING jaxref.lsp: ignored'), 'warn');
  assert.equal(levelOf('2026-12-01 04:23:15,151 CRITICAL jaxref: over'), 'error');
  assert.equal(levelOf('Traceback (most recent call last):'), 'error');
  assert.equal(levelOf('  raise ValueError'), 'info');
  assert.equal(levelOf(`2026-12-01 04:23:15,151 INFO jaxref: ${'x'.repeat(60)} ERROR`), 'info');
});

test('a server may die a few times within the window, and again when that is over', () => {
  const budget = new RestartBudget(2, 1000);
  assert.deepEqual([0, 10, 20].map((now) => budget.allows(now)), [true, true, false]);
  assert.equal(budget.allows(5000), true);
});
