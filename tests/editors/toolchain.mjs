// What the tests need and the machine may lack: Node 24, code-server, playwright-core, Chromium, and
// a Python for the server. All but Chromium goes into .cache/editors of the checkout, once.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const NODE_VERSION = '24.21.0';
export const CODE_SERVER_VERSION = '4.139.1';
export const PLAYWRIGHT_VERSION = '1.65.1';

/** Installs what is missing and returns where everything is. Quick when all is there. */
export function prepareToolchain(cache) {
  const node = prepareNode(join(cache, 'node'));
  // Everything from here on runs on the new Node: code-server refuses older ones.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  return {
    node,
    codeServer: prepareCodeServer(join(cache, 'code-server')),
    playwright: preparePlaywright(join(cache, 'playwright')),
    chromium: prepareChromium(),
    python: findPython(dirname(dirname(cache))),
  };
}

function npm(folder, ...args) {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function once(folder, version, install) {
  const stamp = join(folder, `installed-${version}`);
  if (existsSync(stamp)) return;
  console.log(`installing into ${folder}`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  install();
  writeFileSync(stamp, '');
}

function prepareNode(folder) {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  once(folder, NODE_VERSION, () => npm(folder, 'install', `${name}@${NODE_VERSION}`, '--ignore-scripts'));
  return join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
}

function prepareCodeServer(folder) {
  const root = join(folder, 'node_modules', 'code-server');
  once(folder, CODE_SERVER_VERSION, () => {
    // Its install scripts compile native modules that the tests do without.
    npm(folder, 'install', `code-server@${CODE_SERVER_VERSION}`, '--ignore-scripts');
    const editor = join(root, 'lib', 'vscode');
    npm(editor, 'install', '--omit=dev', '--ignore-scripts');
    npm(join(editor, 'extensions'), 'install', '--omit=dev', '--ignore-scripts');
  });
  return root;
}

function preparePlaywright(folder) {
  once(folder, PLAYWRIGHT_VERSION, () =>
    npm(folder, 'install', `playwright-core@${PLAYWRIGHT_VERSION}`, '--ignore-scripts'),
  );
  return folder;
}

function prepareChromium() {
  const known = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = () => known.find((path) => path !== undefined && existsSync(path));
  if (found() === undefined) {
    if (process.getuid?.() !== 0) throw new Error('no Chromium found: install it, or set CHROMIUM to its path');
    console.log('installing chromium by apt-get');
    const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], options);
  }
  return found();
}

/** The Python that the server runs on: that of .venv, else the one that .venv would be made with. */
function findPython(checkout) {
  const own = join(checkout, '.venv', 'bin', 'python');
  const chosen = existsSync(own) ? own : execFileSync(join(checkout, '.ci', 'pick-python'), { encoding: 'utf8' }).trim();
  return execFileSync(chosen, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
}
