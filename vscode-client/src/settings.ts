// The settings that the extension itself acts on. Everything else goes to the server as it is.

import * as os from 'node:os';

export type ImportStrategy = 'useBundled' | 'fromEnvironment';
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';

export interface LaunchSettings {
  readonly enable: boolean;
  readonly interpreter: string;
  readonly importStrategy: ImportStrategy;
  readonly path: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFile: string;
}

/** Settings that are read when the server starts: a change to one of them needs a restart. */
export const LAUNCH_KEYS = ['enable', 'interpreter', 'importStrategy', 'path', 'logLevel', 'logFile'] as const;

/** Where values come from: `get` of a workspace configuration for the section `jaxref`. */
export type Lookup = (key: string) => unknown;

/** Settings that mean nothing to the server once it runs. */
const OWN_KEYS: ReadonlySet<string> = new Set([...LAUNCH_KEYS, 'trace.server']);

/** The values of one setting that were set by hand, as a configuration's `inspect` tells them. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * What the server is told: the settings that somebody set, nested by the dots in their names. A
 * default is not sent, because it would override what `pyproject.toml` says.
 */
export function settingsForServer(
  keys: Iterable<string>,
  inspect: (key: string) => Inspected | undefined,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const key of keys) {
    if (OWN_KEYS.has(key)) continue;
    const set = inspect(key);
    const value = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
    if (value === undefined || value === null) continue;
    const steps = key.split('.');
    const last = steps.pop();
    let table = settings;
    for (const step of steps) table = (table[step] ??= {}) as Record<string, unknown>;
    if (last !== undefined) table[last] = value;
  }
  return settings;
}

export interface Expansion {
  readonly workspaceFolder: string | undefined;
  readonly home?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The launch settings, with variables expanded. A value that is missing or of the wrong type counts
 * as the default: in remote windows defaults of machine settings may arrive empty.
 */
export function readLaunchSettings(get: Lookup, expansion: Expansion): LaunchSettings {
  const text = (key: string): string => {
    const value = get(key);
    return typeof value === 'string' ? value.trim() : '';
  };
  const list = get('path');
  return {
    enable: get('enable') !== false,
    interpreter: expandVariables(text('interpreter'), expansion),
    importStrategy: text('importStrategy') === 'fromEnvironment' ? 'fromEnvironment' : 'useBundled',
    path: Array.isArray(list)
      ? list.filter((entry) => typeof entry === 'string' && entry !== '').map((entry: string) => expandVariables(entry, expansion))
      : [],
    logLevel: oneOf(text('logLevel'), ['error', 'warning', 'info', 'debug'], 'info'),
    logFile: expandVariables(text('logFile'), expansion),
  };
}

/** `~`, `${userHome}`, `${workspaceFolder}` and `${env:NAME}`; what is not known stays as it is. */
export function expandVariables(value: string, expansion: Expansion): string {
  const home = expansion.home ?? os.homedir();
  const environment = expansion.environment ?? process.env;
  return value
    .replace(/^~(?=$|[\\/])/, () => home)
    .replace(/\$\{(userHome|workspaceFolder|env:([^}]+))\}/g, (whole, name: string, variable: string | undefined) => {
      if (name === 'userHome') return home;
      if (name === 'workspaceFolder') return expansion.workspaceFolder ?? whole;
      return (variable === undefined ? undefined : environment[variable]) ?? '';
    });
}

function oneOf<T extends string>(value: string, allowed: readonly T[], fallback: T): T {
  return (allowed as readonly string[]).includes(value) ? (value as T) : fallback;
}
