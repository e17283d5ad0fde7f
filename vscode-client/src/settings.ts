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
}

/** Settings that are read when the server starts: a change to one of them needs a restart. */
export const LAUNCH_KEYS = ['enable', 'interpreter', 'importStrategy', 'path', 'logLevel'] as const;

/** Where values come from: `get` of a workspace configuration for the section `jaxref`. */
export type Lookup = (key: string) => unknown;

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
