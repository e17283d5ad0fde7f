import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { expandVariables, LAUNCH_KEYS, readLaunchSettings, settingsForServer } from '../src/settings';

const expansion = { workspaceFolder: '/ws', home: '/home/me', environment: { TOOLS: '/opt/tools' } };

test('settings that are missing or of the wrong type count as the default', () => {
  const defaults = { enable: true, interpreter: '', importStrategy: 'useBundled', path: [], logLevel: 'info', logFile: '' };
  assert.deepEqual(readLaunchSettings(() => undefined, expansion), defaults);
  const wrong: Record<string, unknown> = { enable: null, interpreter: 3, importStrategy: 'elsewhere', path: '/bin/jaxref', logLevel: 'loud' };
  assert.deepEqual(readLaunchSettings((key) => wrong[key], expansion), defaults);
});

test('variables are expanded where they are known, and kept where they are not', () => {
  const expand = (value: string, folder: string | undefined = '/ws'): string => expandVariables(value, { ...expansion, workspaceFolder: folder });
  assert.equal(expand('~/python'), '/home/me/python');
  assert.equal(expand('${userHome}/x~y'), '/home/me/x~y');
  assert.equal(expand('${workspaceFolder}/.venv/bin/python'), '/ws/.venv/bin/python');
  assert.equal(expandVariables('${workspaceFolder}/x', { ...expansion, workspaceFolder: undefined }), '${workspaceFolder}/x');
  assert.equal(expand('${env:TOOLS}/python'), '/opt/tools/python');
  assert.equal(expand('${env:NOT_SET}python'), 'python');
  assert.equal(expand('${config:x}'), '${config:x}');
});

test('a value with characters that mean something to replace stays as it is', () => {
  assert.equal(expandVariables('${userHome}/python', { workspaceFolder: undefined, home: '/home/$&' }), '/home/$&/python');
});

test('only what somebody set is sent, the innermost value, nested by dots, without the launch settings', () => {
  const set: Record<string, object> = {
    ignore: { globalValue: ['a'], workspaceValue: ['b'], workspaceFolderValue: ['c'] },
    severity: { globalValue: { x: 'hint' } },
    hints: { globalValue: false },
    select: { workspaceValue: null },
    'hover.enable': { workspaceValue: false },
    interpreter: { globalValue: '/usr/bin/python3' },
    'trace.server': { globalValue: 'verbose' },
    exclude: {},
  };
  assert.deepEqual(settingsForServer(Object.keys(set), (key) => set[key]), {
    ignore: ['c'],
    severity: { x: 'hint' },
    hints: false,
    hover: { enable: false },
  });
});

test('every setting is documented in Markdown, ordered, and every launch setting exists', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { markdownDescription?: string; order?: number; scope?: string }> } };
    capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  };
  const { properties } = manifest.contributes.configuration;
  for (const [name, property] of Object.entries(properties)) {
    assert.ok((property.markdownDescription ?? '').length > 40, `${name} is described`);
    assert.ok(property.order !== undefined && property.scope !== undefined, `${name} has an order and a scope`);
  }
  for (const key of LAUNCH_KEYS) assert.ok(`jaxref.${key}` in properties, key);
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) assert.ok(name in properties, name);
});
