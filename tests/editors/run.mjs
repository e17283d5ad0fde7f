// The extension in a real VS Code: node tests/editors/run.mjs [--source DIR] [--only unit|keyboard|host|broken|chosen|untrusted]
//
// Packages the .vsix from the checkout, installs it in code-server, and drives it by keyboard in a
// headless browser and from inside the extension host. `--source` takes the Python package from
// elsewhere. Installs what it needs into .cache/editors;
// screenshots and logs go to artefacts/editors.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startCodeServer } from './codeserver.mjs';
import { keyboardScenario } from './keyboard.mjs';
import { Report, until } from './report.mjs';
import { prepareToolchain } from './toolchain.mjs';
import { Window } from './window.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const checkout = dirname(dirname(here));
const cache = join(checkout, '.cache', 'editors');
const artefacts = join(checkout, 'artefacts', 'editors');
const client = join(checkout, 'vscode-client');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const only = option('--only');
const wanted = (name) => only === undefined || only === name;
const report = new Report();
rmSync(artefacts, { recursive: true, force: true });
mkdirSync(artefacts, { recursive: true });

const tools = timed('tools', () => prepareToolchain(cache));
const extensions = timed('package', packageExtensions);
if (wanted('unit')) await report.scenario('unit tests of the extension', unitTests);
const run = join(cache, 'run');
const results = join(run, 'results');
rmSync(run, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const { chromium } = createRequire(join(tools.playwright, 'package.json'))('playwright-core');
const browser = await chromium.launch({
  executablePath: tools.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run'],
});
try {
  if (['keyboard', 'host', 'broken'].some(wanted)) {
    await withServer('trusting', {}, async (server) => {
      if (wanted('keyboard')) {
        await report.scenario('by keyboard', () =>
          keyboardScenario({ browser, server, workspace: freshWorkspace('keyboard'), artefacts, report, runs: jaxRunner() }),
        );
      }
      if (wanted('host')) await report.scenario('inside the extension host', () => hostScenario(server, 'host'));
      if (wanted('broken')) {
        await report.scenario('an interpreter that does not exist', () => hostScenario(server, 'broken', messageIsShown));
      }
    });
  }
  const withPython = [...extensions, packageStandIn('python-extension')];
  if (wanted('chosen')) {
    await withServer('with-python', { extensions: withPython }, async (server) => {
      await report.scenario('the interpreter of the Python extension', () => hostScenario(server, 'chosen'));
    });
  }
  if (wanted('untrusted')) {
    const options = { extensions: withPython, trust: true, environment: { PATH: untrustedPath() } };
    await withServer('cautious', options, async (server) => {
      await report.scenario('a workspace that is not trusted', () => hostScenario(server, 'untrusted'));
      report.check('its own interpreter was not started', !existsSync(join(run, 'workspaces', 'untrusted', 'env', 'bin', 'started')));
    });
  }
} finally {
  await browser.close();
}
process.exit(report.close() ? 0 : 1);

async function withServer(name, options, use) {
  const server = await startCodeServer({
    tools,
    folder: join(run, name),
    extensions,
    ...options,
    environment: { JAXREF_TEST_RESULTS: results, JAXREF_TEST_PYTHON: tools.python, ...options.environment },
  });
  try {
    await use(server);
  } finally {
    await server.stop();
    if (existsSync(server.logs)) cpSync(server.logs, join(artefacts, 'logs', name), { recursive: true });
  }
}

/** Whether a program runs to its end, where JAX is installed beside the server's Python. */
function jaxRunner() {
  const python = (...args) => spawnSync(tools.python, args, { stdio: 'ignore', env: { ...process.env, JAX_PLATFORMS: 'cpu' } }).status === 0;
  if (python('-c', 'import jax; jax.ad.DontWant')) return (path) => python(path);
  console.log('  (no JAX with jax.ad here: the fixed programs are not run)');
  return undefined;
}

/** A PATH that leads into the workspace first, as a careless profile would have it. */
function untrustedPath() {
  return [join(run, 'workspaces', 'untrusted', 'env', 'bin'), dirname(tools.python), process.env.PATH].join(delimiter);
}

function freshWorkspace(name) {
  const target = join(run, 'workspaces', name);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(here, 'workspaces', name), target, { recursive: true });
  return target;
}

async function messageIsShown(window) {
  const shown = await until(async () => (await window.notifications()).find((text) => text.includes('/does/not/exist/python')));
  report.check('a message says so', shown !== undefined, (await window.notifications()).join(' | '));
  report.check('with buttons to the setting and the log', /Open Settings/.test(shown) && /Show Log/.test(shown), shown);
  await window.screenshot('no-interpreter');
}

/** Opens a window whose driver extension runs the checks of that name, and takes over their results. */
async function hostScenario(server, name, meanwhile = async () => {}) {
  const window = await Window.open(browser, server.url(freshWorkspace(name)), artefacts);
  const file = join(results, `${name}.json`);
  await meanwhile(window);
  const finished = await until(() => existsSync(file), 240_000);
  await window.screenshot(`host-${name}`);
  await window.close();
  if (!finished) throw new Error('the extension host did not finish its checks in time');
  for (const { name: what, ok, detail } of JSON.parse(readFileSync(file, 'utf8'))) report.check(what, ok, detail);
}

function unitTests() {
  const { status, stdout } = spawnSync('npm', ['test', '--silent'], { cwd: client, encoding: 'utf8', shell: process.platform === 'win32' });
  const [, passed] = /^# pass (\d+)/m.exec(stdout) ?? [];
  report.check(`${passed ?? 'none'} pass`, status === 0 && Number(passed) > 0, stdout.slice(-4000));
}

function packageExtensions() {
  const npm = (...args) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: client, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (!existsSync(join(client, 'node_modules', '.package-lock.json'))) npm('ci', '--no-audit', '--no-fund');
  process.env.PYTHON ??= tools.python;
  const source = option('--source');
  execFileSync(process.execPath, [join(client, 'scripts', 'package.mjs'), ...(source === undefined ? [] : ['--source', source])], { stdio: 'inherit' });
  return [join(client, 'dist', 'jaxref.vsix'), packageStandIn('host')];
}

/** Packages one of the small extensions beside this file. */
function packageStandIn(name) {
  const target = join(cache, `${name}.vsix`);
  const vsce = join(client, 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--allow-package-all-secrets', '--allow-package-env-file'];
  execFileSync(process.execPath, [vsce, 'package', ...options, '--out', target], { cwd: join(here, name), stdio: ['ignore', 'ignore', 'inherit'] });
  return target;
}

function option(name) {
  const index = process.argv.indexOf(name);
  return index < 0 ? undefined : process.argv[index + 1];
}

function timed(name, work) {
  const start = Date.now();
  const result = work();
  console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
