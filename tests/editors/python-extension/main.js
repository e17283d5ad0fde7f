// The part of the Python extension's API that tells which interpreter is chosen. At first it is the
// one in the folder env of the workspace; `choose` chooses another.
const path = require('node:path');
const vscode = require('vscode');

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  let chosen = path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, 'env', 'bin', 'python3');
  return {
    choose: (executable) => {
      chosen = executable;
      changed.fire({ path: chosen, resource: vscode.workspace.workspaceFolders[0].uri });
    },
    environments: {
      getActiveEnvironmentPath: () => ({ id: chosen, path: chosen }),
      resolveEnvironment: async (environment) => ({ executable: { uri: vscode.Uri.file(environment.path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
