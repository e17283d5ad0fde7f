// VS Code without a screen: code-server on a free port with folders of its own.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

import { until } from './report.mjs';

const SETTINGS = {
  'breadcrumbs.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.fontFamily': "'DejaVu Sans Mono', monospace",
  'editor.hover.above': false,
  'editor.hover.delay': 150,
  'editor.inlayHints.enabled': 'offUnlessPressed',
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'window.commandCenter': false,
  'security.workspace.trust.startupPrompt': 'never',
  'workbench.enableExperiments': false,
  'workbench.layoutControl.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Installs the extensions and starts the server. `folder` is emptied first and holds everything that
 * the server writes. Workspace trust is asked for only when `trust` is true.
 */
export async function startCodeServer({ tools, folder, extensions, environment = {}, trust = false, settings = {} }) {
  const userData = join(folder, 'user-data');
  const extensionsDir = join(folder, 'extensions');
  rmSync(folder, { recursive: true, force: true });
  for (const where of ['User', 'Machine']) {
    mkdirSync(join(userData, where), { recursive: true });
    const all = { ...SETTINGS, 'security.workspace.trust.enabled': trust, ...settings };
    writeFileSync(join(userData, where, 'settings.json'), JSON.stringify(all, null, 2));
  }
  mkdirSync(join(folder, 'home'), { recursive: true });
  const entry = join(tools.codeServer, 'out', 'node', 'entry.js');
  const directories = ['--user-data-dir', userData, '--extensions-dir', extensionsDir];
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    // Else the extension host's PATH would be that of a login shell.
    VSCODE_CLI: '1',
    PATH: `${dirname(tools.python)}${delimiter}${process.env.PATH}`,
    ...environment,
  };
  const log = openSync(join(folder, 'code-server.log'), 'w');
  execFileSync(tools.node, [entry, ...directories, ...extensions.flatMap((vsix) => ['--install-extension', vsix])], {
    cwd: tools.codeServer,
    env,
    stdio: ['ignore', log, log],
  });
  const port = await freePort();
  const server = spawn(
    tools.node,
    [
      entry,
      ...directories,
      '--auth', 'none',
      '--bind-addr', `127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      ...(trust ? [] : ['--disable-workspace-trust']),
    ],
    { cwd: tools.codeServer, env, stdio: ['ignore', log, log] },
  );
  // Also when the run is broken off: code-server would outlive it.
  const killServer = () => server.kill();
  process.once('exit', killServer);
  const ready = await until(() => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false), 60_000);
  if (!ready) {
    killServer();
    throw new Error(`code-server did not answer; see ${join(folder, 'code-server.log')}`);
  }
  return {
    /** The address of a window on `workspace`, with `file` in it already open. */
    url(workspace, file) {
      const authority = `vscode-remote://127.0.0.1:${port}`;
      const payload = file === undefined ? [] : [['openFile', `${authority}${join(workspace, file)}`]];
      return `http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
    },
    logs: join(userData, 'logs'),
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      killServer();
      process.off('exit', killServer);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 10_000))]);
      if (server.exitCode === null && server.signalCode === null) server.kill('SIGKILL');
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
