// Which JAX counts for a file, in a few words.

import type { ModuleInformation } from './server-commands';

/** `folder` is the workspace folder of the file: an environment inside of it is named from there. */
export function environmentLabel(known: ModuleInformation, folder: string | undefined): string {
  const { environment, jaxVersion, jaxVersionFrom } = known;
  if (jaxVersionFrom === 'settings') return `JAX ${jaxVersion} by the settings`;
  if (environment === null) return 'no environment found, the newest JAX is assumed';
  const where = named(environment, folder);
  return jaxVersionFrom === 'environment' ? `JAX ${jaxVersion} in ${where}` : `no JAX in ${where}, the newest one is assumed`;
}

function named(environment: string, folder: string | undefined): string {
  if (folder === undefined || !environment.startsWith(folder)) return environment;
  const rest = environment.slice(folder.length);
  if (rest === '') return "the project's folder";
  return /^[\\/]/.test(rest) ? rest.slice(1) : environment;
}
