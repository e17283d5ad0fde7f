import assert from 'node:assert/strict';
import { test } from 'node:test';

import { environmentLabel } from '../src/environment-label';

const file = { diagnosticMode: 'openFilesOnly', excluded: false } as const;
const jax = { ...file, jaxVersion: '0.12.0', jaxVersionFrom: 'environment' } as const;
const none = { ...file, jaxVersion: null, jaxVersionFrom: 'assumed' } as const;

test('the JAX of an environment, named from the workspace folder where it lies in it', () => {
  assert.equal(environmentLabel({ ...jax, environment: '/ws/.venv' }, '/ws'), 'JAX 0.12.0 in .venv');
  assert.equal(environmentLabel({ ...jax, environment: '/ws' }, '/ws'), "JAX 0.12.0 in the project's folder");
  assert.equal(environmentLabel({ ...jax, environment: '/ws2/.venv' }, '/ws'), 'JAX 0.12.0 in /ws2/.venv');
  assert.equal(environmentLabel({ ...jax, environment: '/opt/env' }, undefined), 'JAX 0.12.0 in /opt/env');
  assert.equal(environmentLabel({ ...jax, environment: 'C:\\ws\\.venv' }, 'C:\\ws'), 'JAX 0.12.0 in .venv');
});

test('where there is none the newest one is assumed, and a setting wins', () => {
  assert.equal(environmentLabel({ ...none, environment: '/ws/.venv' }, '/ws'), 'no JAX in .venv, the newest one is assumed');
  assert.equal(environmentLabel({ ...none, environment: null }, '/ws'), 'no environment found, the newest JAX is assumed');
  const set = { ...file, environment: '/ws/.venv', jaxVersion: '0.10', jaxVersionFrom: 'settings' } as const;
  assert.equal(environmentLabel(set, '/ws'), 'JAX 0.10 by the settings');
});
