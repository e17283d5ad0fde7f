// The extension in a real VS Code: node tests/editors/run.mjs [--source DIR]
//
// Packages the .vsix from the checkout, installs it in code-server, and drives it by keyboard in a
// headless browser and from inside the extension host. `--source` takes the Python package from
// elsewhere. Installs what it needs into .cache/editors;
// screenshots and logs go to artefacts/editors.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

const report = new Report();
rmSync(artefacts, { recursive: true, force: true });
mkdirSync(artefacts, { recursive: true });

const tools = timed('tools', () => prepareToolchain(cache));
const extensions = timed('package', packageExtensions);
const run = join(cache, 'run');
const results = join(run, 'results');
const server = await startCodeServer({ tools, folder: run, extensions, environment: { JAXREF_TEST_RESULTS: results } });
mkdirSync(results, { recursive: true });
const { chromium } = createRequire(join(tools.playwright, 'package.json'))('playwright-core');
const browser = await chromium.launch({
  executablePath: tools.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run'],
});
try {
  await report.scenario('by keyboard', () =>
    keyboardScenario({ browser, server, workspace: freshWorkspace('keyboard'), artefacts, report }),
  );
  await report.scenario('inside the extension host', () => hostScenario('host'));
} finally {
  await browser.close();
  await server.stop();
  if (existsSync(server.logs)) cpSync(server.logs, join(artefacts, 'logs'), { recursive: true });
}
process.exit(report.close() ? 0 : 1);

function freshWorkspace(name) {
  const target = join(run, 'workspaces', name);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(here, 'workspaces', name), target, { recursive: true });
  return target;
}

/** Opens a window whose driver extension runs the checks of that name, and takes over their results. */
async function hostScenario(name) {
  const window = await Window.open(browser, server.url(freshWorkspace(name)), artefacts);
  const file = join(results, `${name}.json`);
  const finished = await until(() => existsSync(file), 150_000);
  await window.screenshot(`host-${name}`);
  await window.close();
  if (!finished) throw new Error('the extension host did not finish its checks in time');
  for (const { name: what, ok, detail } of JSON.parse(readFileSync(file, 'utf8'))) report.check(what, ok, detail);
}

function packageExtensions() {
  const npm = (...args) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: client, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (!existsSync(join(client, 'node_modules', '.package-lock.json'))) npm('ci', '--no-audit', '--no-fund');
  process.env.PYTHON ??= tools.python;
  execFileSync(process.execPath, [join(client, 'scripts', 'package.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  const driver = join(cache, 'driver.vsix');
  execFileSync(
    process.execPath,
    [join(client, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--allow-package-all-secrets', '--allow-package-env-file', '--out', driver],
    { cwd: join(here, 'host'), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return [join(client, 'dist', 'jaxref.vsix'), driver];
}

function timed(name, work) {
  const start = Date.now();
  const result = work();
  console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
