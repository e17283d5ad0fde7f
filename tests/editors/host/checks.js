// What VS Code's own API says about findings, hover and fixes: files, untitled documents, notebooks,
// changed settings, a crash. Each export is named for the workspace folder it runs in.
const vscode = require('vscode');

const RULE = 'unbound-ref-gradient';

exports.host = async (root, check) => {
  const extension = vscode.extensions.getExtension('jaxref.jaxref');
  const document = await open(root, 'train.py');
  await vscode.window.showTextDocument(document);
  const { session } = await extension.activate();
  check('the server runs', session.state.kind === 'running', JSON.stringify(session.state));
  const folder = (file) => file?.replace(/[^/\\]+$/, '');
  equal(check, 'with the first Python on PATH', folder(session.state.interpreter?.executable), folder(process.env.JAXREF_TEST_PYTHON));

  await file(document, check);
  await fixes(document, check);
  await cleanFile(root, check);
  await whileTyping(document, root, check);
  await untitled(check);
  await notebook(root, check);
  await settings(document, check);
  await rulePage(check);
  await commands(document, check);
  await unavailable(session, check);
  await wholeWorkspace(root, document, check);
  await fixOnSave(document, check);
  await restarts(session, document, check);
};

/** The setting names an interpreter that does not exist. */
exports.broken = async (root, check) => {
  await vscode.window.showTextDocument(await open(root, 'train.py'));
  const { session } = await vscode.extensions.getExtension('jaxref.jaxref').activate();
  equal(check, 'the server does not run', session.state.kind, 'failed');
  equal(check, 'and says why', session.state.reason, 'jaxref needs Python 3.11 or later to run its server: /does/not/exist/python does not exist');
  // The window's own checks look at the message that is shown now.
  await pause(3000);
  await vscode.workspace.getConfiguration('jaxref').update('interpreter', undefined, vscode.ConfigurationTarget.Workspace);
  check('with the setting removed it runs', await until(() => session.state.kind === 'running'), JSON.stringify(session.state));
  await vscode.workspace.getConfiguration('jaxref').update('path', ['/bin/false'], vscode.ConfigurationTarget.Workspace);
  check('a server that ends at once is given up', await until(() => session.state.kind === 'failed'), JSON.stringify(session.state));
  await pause(2000);
  equal(check, 'and stays so', session.state.reason, 'the jaxref server did not start: it ended at once');
  await vscode.workspace.getConfiguration('jaxref').update('path', undefined, vscode.ConfigurationTarget.Workspace);
  check('until the setting is changed', await until(() => session.state.kind === 'running'), JSON.stringify(session.state));
  await vscode.workspace.getConfiguration('jaxref').update('enable', false, vscode.ConfigurationTarget.Workspace);
  check('switched off it stops', await until(() => session.state.kind === 'off'), JSON.stringify(session.state));
  check('and its findings go', await until(() => vscode.languages.getDiagnostics().every(([, each]) => each.length === 0)));
};

/** The Python extension says which interpreter is chosen. */
exports.chosen = async (root, check) => {
  const document = await open(root, 'train.py');
  await vscode.window.showTextDocument(document);
  const { session } = await vscode.extensions.getExtension('jaxref.jaxref').activate();
  equal(check, 'the interpreter that is chosen there runs the server', session.state.interpreter?.origin, 'the Python extension');
  equal(check, 'and finds what there is', (await findings(document.uri, 1)).length, 1);
  const jax = async () => (await vscode.commands.executeCommand('jaxref.server.information', document.uri.toString())).modules[0]?.jaxVersion;
  check('its environment is analysed', await until(async () => (await jax()) === '0.11.1'), await jax());
  const settings = vscode.Uri.joinPath(root, 'jaxref.toml');
  await vscode.workspace.fs.writeFile(settings, Buffer.from('python = "other"\n'));
  check("the project's own settings win over it", await until(async () => (await jax()) === '0.12.0'), await jax());
  await vscode.workspace.fs.delete(settings);
  check('and without them it counts again', await until(async () => (await jax()) === '0.11.1'), await jax());
  const { pid } = session.client.serverProcess;
  vscode.extensions.getExtension('ms-python.python').exports.choose('/another/python');
  await pause(1500);
  equal(check, 'another choice changes what is analysed and starts no other server', session.client.serverProcess?.pid, pid);
  await vscode.workspace.getConfiguration('jaxref').update('interpreter', process.env.JAXREF_TEST_PYTHON, vscode.ConfigurationTarget.Workspace);
  const origin = 'the setting jaxref.interpreter';
  check('one that is set by hand wins', await until(() => session.state.interpreter?.origin === origin), session.state.interpreter?.origin);
};

/** A workspace that nobody trusts names an interpreter of its own. */
exports.untrusted = async (root, check) => {
  check('the workspace is not trusted', !vscode.workspace.isTrusted);
  const document = await open(root, 'train.py');
  await vscode.window.showTextDocument(document);
  const { session } = await vscode.extensions.getExtension('jaxref.jaxref').activate();
  equal(check, 'the bundled server runs', session.state.jaxref?.source, 'bundled');
  check('with a Python from elsewhere', !session.state.interpreter?.executable.startsWith(root.fsPath), session.state.interpreter?.executable);
  equal(check, 'and finds what there is', (await findings(document.uri, 1)).length, 1);
};

async function file(document, check) {
  const found = await findings(document.uri, 1);
  equal(check, 'a file: one finding', found.length, 1);
  const [finding] = found;
  equal(check, 'its rule', finding.code?.value, RULE);
  equal(check, 'its page', finding.code?.target?.toString(), `https://jaxref.readthedocs.io/rules/${RULE}`);
  equal(check, 'its severity', finding.severity, vscode.DiagnosticSeverity.Error);
  equal(check, 'its line', document.lineAt(finding.range.start.line).text, 'weights_grad, inputs_grad, _ = loss_vjp(jnp.ones_like(value))');
  check('it names the argument', finding.message.includes('scale_ref'), finding.message);
  check('it leads to the jax.vjp call', related(document, finding).some((text) => text.includes('jax.vjp')), related(document, finding).join('; '));

  const hover = await hoverAt(document, finding.range.start);
  check('hover on the flagged call names the argument', hover.includes('scale_ref'), hover);
  const nothing = await hoverAt(document, positionOf(document, 'jnp.tanh', 5));
  equal(check, 'no hover where there is nothing to say', nothing, '');
}

function related(document, finding) {
  return (finding.relatedInformation ?? []).map((place) => document.lineAt(place.location.range.start.line).text);
}

async function fixes(document, check) {
  const [finding] = await findings(document.uri, 1);
  const before = document.getText();
  const offered = await quickFixes(document, finding.range);
  check('three quick fixes are offered', offered.length >= 3, offered.map((action) => action.title).join('; '));
  equal(check, 'the first is preferred', offered[0]?.isPreferred, true);
  equal(check, 'and no other', offered.filter((action) => action.isPreferred).length, 1);
  for (const [index, { title }] of offered.slice(0, 3).entries()) {
    // The edits of one version do not fit the next: ask again after each undo.
    const action = (await quickFixes(document, (await findings(document.uri, 1))[0].range))[index];
    check(`"${title}" can be applied`, action && (await apply(action)));
    const left = await findings(document.uri, 0);
    equal(check, `"${title}" leaves no finding`, left.map((each) => each.message).join('; '), '');
    check(`"${title}" changes the text`, document.getText() !== before);
    await vscode.commands.executeCommand('undo');
    equal(check, `"${title}" is undone at once`, document.getText(), before);
  }
}

async function cleanFile(root, check) {
  const document = await open(root, 'clean.py');
  await vscode.window.showTextDocument(document);
  await pause(1500);
  equal(check, 'a correct file: nothing found', messages(document.uri), '');
}

async function whileTyping(document, root, check) {
  const hints = await hintsOf(document);
  check('an inlay hint says what the VJP needs', hints.some((text) => text.includes('scale_ref')), hints.join('; '));
  const clean = await open(root, 'clean.py');
  const names = await hintsOf(clean);
  check('inlay hints name the arguments before the entries', ['weights', 'scale_ref'].every((name) => names.some((text) => text.includes(name))), names.join('; '));

  const at = positionOf(clean, '.with_refs(', '.with_refs('.length);
  const completions = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', clean.uri, at, '(');
  const offered = completions.items.map((item) => (typeof item.label === 'string' ? item.label : item.label.label));
  check('completion offers entries for with_refs', offered.some((label) => label.includes('GradValue')), offered.slice(0, 10).join('; '));
  const help = await vscode.commands.executeCommand('vscode.executeSignatureHelpProvider', clean.uri, at, '(');
  check('signature help names the primals', help?.signatures[0]?.parameters.length === 2, JSON.stringify(help));
}

async function hintsOf(document) {
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', document.uri, whole);
  return hints.map(({ label }) => (typeof label === 'string' ? label : label.map((part) => part.value).join('')));
}

async function untitled(check) {
  const content = (await vscode.workspace.openTextDocument(vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'train.py'))).getText();
  const document = await vscode.workspace.openTextDocument({ language: 'python', content });
  await vscode.window.showTextDocument(document);
  equal(check, 'an untitled document: one finding', (await findings(document.uri, 1)).length, 1);
  const offered = await quickFixes(document, (await findings(document.uri, 1))[0].range);
  check('with quick fixes', offered.length >= 3, offered.length);
  await apply(offered[0]);
  equal(check, 'the first of which works', (await findings(document.uri, 0)).length, 0);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

async function notebook(root, check) {
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.joinPath(root, 'notebook.ipynb'));
  await vscode.window.showNotebookDocument(notebook);
  const cells = () => notebook.getCells().filter((cell) => cell.kind === vscode.NotebookCellKind.Code);
  const last = () => cells().at(-1).document;
  await findings(last().uri, 1);
  // A finding that is both pushed and pulled shows twice, and the second one may come late.
  await pause(2500);
  equal(check, 'a notebook: each finding once, in its cell', cells().map((cell) => diagnosticsOf(cell.document.uri).length).join(), '0,0,0,1');

  const offered = await quickFixes(last(), diagnosticsOf(last().uri)[0].range);
  check('a cell: quick fixes', offered.length >= 1, offered.length);
  if (offered.length > 0) {
    await apply(offered[0]);
    await findings(last().uri, 0);
    equal(check, 'a cell: the first fix works', cells().map((cell) => messages(cell.document.uri)).join(''), '');
    check('a cell: the fix stays in code cells', notebook.cellAt(0).document.getText() === '# A ref among the primals');
    await vscode.commands.executeCommand('notebook.focusTop');
    await vscode.commands.executeCommand('undo');
  }

  const inserted = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'again = loss_vjp(jnp.ones_like(value))', 'python');
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(notebook.cellCount, [inserted])]);
  await vscode.workspace.applyEdit(edit);
  equal(check, 'an inserted cell: one finding', (await findings(last().uri, 1)).length, 1);
  const moved = new vscode.WorkspaceEdit();
  moved.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(notebook.cellCount - 1, notebook.cellCount))]);
  const gone = last().uri;
  await vscode.workspace.applyEdit(moved);
  equal(check, 'a deleted cell: its finding goes', (await findings(gone, 0)).length, 0);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

async function settings(document, check) {
  await vscode.window.showTextDocument(document);
  await findings(document.uri, 1);
  const configuration = () => vscode.workspace.getConfiguration('jaxref');
  await configuration().update('ignore', [RULE], vscode.ConfigurationTarget.Workspace);
  equal(check, 'an ignored rule: its finding goes at once', (await findings(document.uri, 0)).length, 0);
  await configuration().update('ignore', undefined, vscode.ConfigurationTarget.Workspace);
  equal(check, 'and comes back', (await findings(document.uri, 1)).length, 1);
  await configuration().update('severity', { [RULE]: 'warning' }, vscode.ConfigurationTarget.Workspace);
  const quieter = await until(() => diagnosticsOf(document.uri)[0]?.severity === vscode.DiagnosticSeverity.Warning);
  check('a changed severity is shown', quieter, diagnosticsOf(document.uri)[0]?.severity);
  await configuration().update('severity', undefined, vscode.ConfigurationTarget.Workspace);
  await until(() => diagnosticsOf(document.uri)[0]?.severity === vscode.DiagnosticSeverity.Error);
}

async function rulePage(check) {
  await vscode.commands.executeCommand('jaxref.explainRule', RULE);
  const page = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'jaxref-rule', path: `/${RULE}.md` }));
  check('the page of a rule', page.getText().includes(RULE) && page.getText().length > 200, page.getText().slice(0, 200));
  const shown = await until(() => vscode.window.tabGroups.all.flatMap((group) => group.tabs).some((tab) => tab.label.includes(RULE)));
  check('is shown rendered', shown, vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label).join('; '));
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
}

async function commands(document, check) {
  await vscode.window.showTextDocument(document);
  await findings(document.uri, 1);
  const before = document.getText();
  await vscode.commands.executeCommand('jaxref.fixAll');
  equal(check, 'Fix All leaves no finding', (await findings(document.uri, 0)).length, 0);
  check('and binds a gradient ref', document.getText().includes('.with_refs('), document.getText());
  await vscode.commands.executeCommand('undo');
  equal(check, 'and is undone at once', document.getText(), before);
  await findings(document.uri, 1);

  await vscode.commands.executeCommand('jaxref.openExample');
  const example = vscode.window.activeTextEditor.document;
  equal(check, 'the example has one finding', (await findings(example.uri, 1)).map((each) => each.code.value).join(), RULE);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');

  // What is asked while a text is being analysed says so: ask again.
  const complete = /bundled[^]*Python: 3\.[^]*"ignore"[^]*"findings": 1/;
  let information = '';
  for (let turn = 0; turn < 20 && !complete.test(information); turn++) {
    if (turn > 0) {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await vscode.commands.executeCommand('jaxref.showServerInformation');
    information = vscode.window.activeTextEditor.document.getText();
  }
  check('the information names server, Python, settings and what was found', complete.test(information), information);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');

  await vscode.commands.executeCommand('jaxref.openWalkthrough');
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);
  check('the walkthrough opens', await until(() => tabs().some((label) => /Walkthrough|Welcome|Get started/i.test(label))), tabs().join('; '));
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
}

/** A finding without a fix says why, to who asks for quick fixes by their kind. */
async function unavailable(session, check) {
  const content = 'import jax\nimport jax.numpy as jnp\n\nref = jax.new_ref(jnp.zeros(3))\njax.lax.fori_loop(0, 3, lambda i, carry: carry, ref)\n';
  const document = await vscode.workspace.openTextDocument({ language: 'python', content });
  await vscode.window.showTextDocument(document);
  const found = await findings(document.uri, 1);
  // VS Code's own command leaves out what is disabled.
  const { code2ProtocolConverter } = session.client;
  const actions = await session.client.sendRequest('textDocument/codeAction', {
    textDocument: code2ProtocolConverter.asTextDocumentIdentifier(document),
    range: code2ProtocolConverter.asRange(found[0].range),
    context: { diagnostics: [], only: ['quickfix'], triggerKind: 1 },
  });
  const reasons = actions.flatMap((action) => action.disabled?.reason ?? []);
  check('a finding without a fix says why', reasons.some((reason) => /carries|simple/.test(reason)), JSON.stringify(actions));
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

/** Files that are not open: looked at once, and all the time; each finding once. */
async function wholeWorkspace(root, document, check) {
  await vscode.window.showTextDocument(document);
  await findings(document.uri, 1);
  // VS Code keeps what was open before for a while, so that this needs files of its own.
  const [closed, book] = ['closed.py', 'closed.ipynb'].map((name) => vscode.Uri.joinPath(root, name));
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(root, 'notebook.ipynb'), book);
  const text = (content) => vscode.workspace.fs.writeFile(closed, Buffer.from(content));
  await text(document.getText());
  const checked = await vscode.commands.executeCommand('jaxref.checkWorkspace');
  check('the workspace is checked once', checked.findings >= 2 && !checked.stopped, JSON.stringify(checked));
  equal(check, 'a closed file has its finding', (await findings(closed, 1)).length, 1);
  const [inBook] = await findings(book, 1);
  check('and so has a closed notebook, in its cell', inBook?.message.startsWith('cell 5, line 1: '), inBook?.message);
  equal(check, 'the open file keeps its one', diagnosticsOf(document.uri).length, 1);
  await text('');
  equal(check, 'what is mended on disk goes', (await findings(closed, 0)).length, 0);

  const configuration = () => vscode.workspace.getConfiguration('jaxref');
  await text(document.getText());
  await configuration().update('diagnosticMode', 'workspace', vscode.ConfigurationTarget.Workspace);
  equal(check, 'all the time: a closed file has its finding', (await findings(closed, 1)).length, 1);
  equal(check, 'a closed notebook has its one', (await findings(book, 1)).length, 1);
  equal(check, 'an open file has its one', (await findings(document.uri, 1)).length, 1);
  // What `openTextDocument` opens is kept for minutes after its editor has closed.
  await vscode.commands.executeCommand('vscode.open', closed);
  await pause(3000);
  equal(check, 'opened it still has one', diagnosticsOf(closed).length, 1);
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  const isOpen = () => vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === closed.toString());
  check('it is closed', await until(() => !isOpen(), 30_000));
  await pause(5000);
  equal(check, 'closed it has one again', (await findings(closed, 1)).length, 1);
  await vscode.workspace.fs.delete(closed);
  equal(check, 'deleted it has none', (await findings(closed, 0)).length, 0);
  await configuration().update('diagnosticMode', undefined, vscode.ConfigurationTarget.Workspace);
  check('switched back, only open files count', await until(() => diagnosticsOf(book).length === 0), messages(book));
  await vscode.window.showTextDocument(document);
  equal(check, 'and keep their findings', (await findings(document.uri, 1)).length, 1);
  await vscode.workspace.fs.delete(book);
}

async function fixOnSave(document, check) {
  await vscode.window.showTextDocument(document);
  await findings(document.uri, 1);
  const before = document.getText();
  const editor = vscode.workspace.getConfiguration('editor', document);
  await editor.update('codeActionsOnSave', { 'source.fixAll.jaxref': 'explicit' }, vscode.ConfigurationTarget.Workspace);
  // VS Code saves, and runs actions on save, only what has changed.
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(document.lineCount, 0), '\n');
  await vscode.workspace.applyEdit(edit);
  await findings(document.uri, 1);
  await vscode.commands.executeCommand('workbench.action.files.save');
  const saved = Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString('utf8');
  check('a fix on save is in the file', saved.includes('.with_refs('), saved);
  await editor.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Workspace);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const back = new vscode.WorkspaceEdit();
  back.replace(document.uri, whole, before);
  await vscode.workspace.applyEdit(back);
  await document.save();
  equal(check, 'written again, the finding is back', (await findings(document.uri, 1)).length, 1);
}

async function restarts(session, document, check) {
  await vscode.window.showTextDocument(document);
  const before = session.client.serverProcess.pid;
  process.kill(before, 'SIGKILL');
  const back = await until(() => session.state.kind === 'running' && session.client.serverProcess?.pid !== before);
  check('a server that is killed comes back', back, JSON.stringify(session.state));
  equal(check, 'with its findings', (await findings(document.uri, 1)).length, 1);
  const second = session.client.serverProcess?.pid;
  await vscode.commands.executeCommand('jaxref.restart');
  check('the restart command starts another server', session.state.kind === 'running' && session.client.serverProcess.pid !== second);
  equal(check, 'with its findings again', (await findings(document.uri, 1)).length, 1);
  check('the server before it has ended', await until(() => !isAlive(second)), second);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function open(root, name) {
  return vscode.workspace.openTextDocument(vscode.Uri.joinPath(root, name));
}

function diagnosticsOf(uri) {
  return vscode.languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === 'jaxref');
}

function messages(uri) {
  return diagnosticsOf(uri).map((diagnostic) => diagnostic.message).join('; ');
}

/** jaxref's findings, once there are `count` of them, or whatever there is when the time is over. */
async function findings(uri, count) {
  await until(() => diagnosticsOf(uri).length === count);
  return diagnosticsOf(uri);
}

async function quickFixes(document, range) {
  const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range, 'quickfix', 20);
  return actions.filter((action) => action.edit !== undefined && !/ignore/i.test(action.title));
}

/** Applies the edit without asking, also one for which a person would be asked. */
function apply(action) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of action.edit.entries()) edit.set(uri, edits);
  return vscode.workspace.applyEdit(edit);
}

async function hoverAt(document, position) {
  const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, position);
  return hovers.flatMap((hover) => hover.contents.map((content) => content.value ?? content)).join('\n');
}

function positionOf(document, text, offset = 0) {
  return document.positionAt(document.getText().indexOf(text) + offset);
}

function equal(check, name, actual, expected) {
  check(name, actual === expected, `expected ${expected}, found ${actual}`);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function until(probe, milliseconds = 15_000) {
  const end = Date.now() + milliseconds;
  while (!(await probe())) {
    if (Date.now() > end) return false;
    await pause(50);
  }
  return true;
}
