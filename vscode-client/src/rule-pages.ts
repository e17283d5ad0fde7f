// Rule pages: chosen by name, written by the server's own command line, shown as rendered Markdown.

import * as vscode from 'vscode';

import { runJaxref } from './launch';
import type { Session } from './session';

const SCHEME = 'jaxref-rule';

export function registerRulePages(session: Session): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => rulePage(session, nameOf(uri)),
    }),
    vscode.commands.registerCommand('jaxref.explainRule', async (name?: unknown) => {
      try {
        const chosen = typeof name === 'string' ? name : await pickRule(session);
        if (chosen !== undefined) await showRulePage(chosen);
      } catch (error) {
        void vscode.window.showErrorMessage(`the rule's page cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}

async function showRulePage(name: string): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` }));
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.replace(/^\//, '').replace(/\.md$/, '');
}

async function rulePage(session: Session, name: string): Promise<string> {
  const jaxref = await session.jaxref();
  if (jaxref === undefined) throw new Error('there is no Python to run jaxref with');
  return runJaxref(jaxref, ['rule', name, '--output-format', 'markdown']);
}

interface RuleEntry {
  readonly name: string;
  readonly summary: string;
}

async function allRules(session: Session): Promise<RuleEntry[]> {
  const jaxref = await session.jaxref();
  if (jaxref === undefined) throw new Error('there is no Python to run jaxref with');
  const list: unknown = JSON.parse(await runJaxref(jaxref, ['rule', '--all', '--output-format', 'json']));
  if (!Array.isArray(list)) throw new Error('jaxref rule --all did not answer with a list');
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('name' in entry) || typeof entry.name !== 'string') return [];
    const summary = 'summary' in entry && typeof entry.summary === 'string' ? entry.summary : '';
    return [{ name: entry.name, summary }];
  });
}

async function pickRule(session: Session): Promise<string | undefined> {
  const here = new Set(rulesAtCursor());
  const items: vscode.QuickPickItem[] = [];
  const rules = await allRules(session);
  const add = (title: string, entries: readonly RuleEntry[]): void => {
    if (entries.length === 0) return;
    items.push({ label: title, kind: vscode.QuickPickItemKind.Separator });
    items.push(...entries.map(({ name, summary }) => ({ label: name, detail: summary })));
  };
  add('at the cursor', rules.filter((rule) => here.has(rule.name)));
  add('all rules', rules.filter((rule) => !here.has(rule.name)));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Rule to explain', matchOnDetail: true });
  return picked?.label;
}

function rulesAtCursor(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return [];
  return vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((diagnostic) => diagnostic.source === 'jaxref' && diagnostic.range.contains(editor.selection.active))
    .map((diagnostic) => String(typeof diagnostic.code === 'object' ? diagnostic.code.value : (diagnostic.code ?? '')));
}
