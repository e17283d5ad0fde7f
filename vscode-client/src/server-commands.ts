// The server's own commands; clients register them under their names.

import type { LanguageClient } from 'vscode-languageclient/node';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';

export const SERVER_INFORMATION = 'jaxref.server.information';
export const SERVER_CHECK = 'jaxref.server.checkWorkspace';

/** What the server says of one document that is open. */
export interface ModuleInformation {
  readonly diagnosticMode: 'openFilesOnly' | 'workspace' | 'off';
  /** Whether the settings leave the file out, also by `diagnosticMode`. */
  readonly excluded: boolean;
  readonly environment: string | null;
  readonly jaxVersion: string | null;
  readonly jaxVersionFrom: 'settings' | 'environment' | 'assumed';
}

/** What the server knows of the document; undefined when it does not have it, or does not say. */
export async function moduleInformation(client: LanguageClient, uri: string): Promise<ModuleInformation | undefined> {
  const offered = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (!offered.includes(SERVER_INFORMATION)) return undefined;
  try {
    const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command: SERVER_INFORMATION, arguments: [uri] });
    return (answer as { readonly modules: readonly ModuleInformation[] }).modules[0];
  } catch {
    // The server is about to end, or an older one takes no arguments.
    return undefined;
  }
}
