// What a person sees and does: the squiggle, the Problems panel, the hover, and each fix by keyboard.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './report.mjs';
import { plain, Window } from './window.mjs';

const FLAGGED = 'weights_grad, inputs_grad, _ = loss_vjp(jnp.ones_like(value))';
const FLAGGED_LINE = 15;
const CALL_COLUMN = FLAGGED.indexOf('loss_vjp') + 3;

/** The three remedies: how the menu names each, and the lines that it leaves. */
const FIXES = [
  {
    name: 'bind',
    title: /bind a gradient ref/i,
    lines: [
      'scale_grad_ref = jax.new_ref(jnp.zeros_like(scale_ref))',
      'weights_grad, inputs_grad, _ = loss_vjp.with_refs(jax.ad.GradValue(), jax.ad.GradValue(), scale_grad_ref)(jnp.ones_like(value))',
    ],
  },
  {
    name: 'skip',
    title: /skip the gradient/i,
    lines: ['weights_grad, inputs_grad, _ = loss_vjp.with_refs(jax.ad.GradValue(), jax.ad.GradValue(), jax.ad.DontWant())(jnp.ones_like(value))'],
  },
  {
    name: 'close over',
    title: /out of the differentiated/i,
    lines: [
      'value, loss_vjp = jax.vjp(lambda weights, inputs: loss(weights, inputs, scale_ref), weights, inputs)',
      'weights_grad, inputs_grad = loss_vjp(jnp.ones_like(value))',
    ],
  },
];

/** In whole.py the result is kept whole: what the third remedy does to its structure cannot be followed. */
const ASKING = { name: 'close over, result kept whole', title: /out of the differentiated/i, asks: true, lines: [FIXES[2].lines[0]] };

/** The part of the window that holds something, for the pictures in the documentation. */
const UPPER_PART = { x: 0, y: 0, width: 1200, height: 640 };

export async function keyboardScenario({ browser, server, workspace, artefacts, report, runs }) {
  const window = await Window.open(browser, server.url(workspace, 'train.py'), artefacts);
  try {
    await steps(window, report, workspace, runs);
  } catch (error) {
    await window.screenshot('failure');
    throw error;
  } finally {
    await window.close();
  }
}

async function steps(window, report, workspace, runs) {
  report.check('one red squiggle', await window.marksBecome(1, undefined, 60_000), `${await window.marks().count()} shown`);
  report.equal('under the call', await window.markedLine(), FLAGGED);

  await window.press('Control+B');
  await problems(window, report);
  await hover(window, report);
  const [train, whole] = ['train.py', 'whole.py'].map((name) => join(workspace, name));
  if (runs !== undefined) report.check('as it is, the program fails under JAX', !runs(train));
  for (const fix of FIXES) await oneFix({ window, report, path: train, runs, fix });
  await rulePage(window, report);
  await window.openFile('whole.py');
  report.check('the other file: one red squiggle', await window.marksBecome(1));
  await oneFix({ window, report, path: whole, runs, fix: ASKING });
}

async function problems(window, report) {
  await window.press('Control+Shift+M');
  const rows = await window.problemRows();
  const row = rows.find((text) => text.includes('unbound-ref-gradient')) ?? '';
  report.check('Problems: the finding with its rule', row !== '', rows.join(' | '));
  report.check('Problems: names the ref and the source', row.includes('scale_ref') && row.includes('jaxref'), row);
  const link = await window.page.locator('.markers-panel .monaco-list-row a').allTextContents();
  report.check('Problems: the rule is a link', link.some((text) => plain(text).includes('unbound-ref-gradient')), link.join(' | '));
}

async function hover(window, report) {
  await window.goTo(FLAGGED_LINE, CALL_COLUMN);
  const text = await window.hoverAtCursor('Quick Fix');
  await until(() => window.page.locator('.monaco-hover:visible table').count(), 10_000);
  report.check('hover: what the matter is', text.includes('scale_ref'), text);
  report.check('hover: a table of the arguments', (await window.page.locator('.monaco-hover:visible table tr').count()) >= 3, text);
  report.check('hover: offers the quick fix', /quick fix/i.test(text), text);
  await window.screenshot('1-squiggle-problems-hover', UPPER_PART);
  await window.press('Escape');
}

async function rulePage(window, report) {
  await window.goTo(FLAGGED_LINE, CALL_COLUMN);
  await window.command('jaxref: Explain Rule');
  const first = window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'unbound-ref-gradient' }).first();
  await first.waitFor({ timeout: 15_000 });
  const rows = (await window.page.locator('.quick-input-list .monaco-list-row').allTextContents()).map(plain);
  report.check('rules: the one at the cursor comes first', rows[0]?.includes('unbound-ref-gradient'), rows.slice(0, 3).join(' | '));
  await window.press('Enter');
  const page = await until(async () => {
    for (const frame of window.page.frames()) {
      const title = await frame.locator('h1').first().textContent({ timeout: 300 }).catch(() => null);
      if (title?.includes('unbound-ref-gradient')) return title;
    }
    return undefined;
  });
  report.check('rules: its page is shown rendered', page !== undefined);
  await window.screenshot('4-rule-page');
}

async function oneFix({ window, report, path, runs, fix }) {
  const original = readFileSync(path, 'utf8');
  await window.goTo(FLAGGED_LINE, fix.asks ? 'gradients = loss_'.length : CALL_COLUMN);
  const titles = await window.openQuickFixes();
  report.check(`${fix.name}: in the menu`, titles.some((title) => fix.title.test(title)), titles.join(' | '));
  if (fix.name === 'bind') await window.screenshot('2-quick-fix-menu', UPPER_PART);
  const chosen = await window.chooseQuickFix(fix.title);
  const asked = await window.confirmRefactoring(fix.asks ? 8_000 : 500);
  report.check(`${fix.name}: ${fix.asks ? 'asks' : 'does not ask'} before it is applied`, asked === Boolean(fix.asks), chosen);
  report.check(`${fix.name}: the squiggle goes`, await window.marksBecome(0), chosen);
  const saved = await save(window, path, original);
  const missing = fix.lines.filter((line) => !saved.split('\n').includes(line));
  report.equal(`${fix.name}: the text is right`, missing.join('\n'), '');
  const shown = (await window.shownText()).trim();
  report.check(`${fix.name}: the editor shows it`, saved.includes(shown) && shown.includes(fix.lines.at(-1)), shown);
  if (runs !== undefined) report.check(`${fix.name}: runs under JAX`, runs(path));
  await window.screenshot(`3-after-${fix.name.replace(/\W+/g, '-')}`, UPPER_PART);

  if (fix.name === 'bind') await inlayHints(window, report);

  await window.press('Control+1', 'Control+Z');
  report.check(`${fix.name}: undone, the squiggle is back`, await window.marksBecome(1));
  report.equal(`${fix.name}: undone, the text is as before`, await save(window, path, saved), original);
}

/** Shown while Ctrl+Alt is held: the settings of the test keep them out of the text otherwise. */
async function inlayHints(window, report) {
  await window.press('Control+1');
  await window.page.keyboard.down('Control');
  await window.page.keyboard.down('Alt');
  const shown = await until(async () => /inputs:.*scale_ref:/.test(await window.shownText()), 10_000);
  report.check('inlay hints: the argument before each entry', shown === true, await window.shownText());
  await window.screenshot('5-inlay-hints', UPPER_PART);
  await window.page.keyboard.up('Alt');
  await window.page.keyboard.up('Control');
}

/** Saves by keyboard and waits until the file on disk is no longer `before`. */
async function save(window, path, before) {
  await window.press('Control+S');
  await until(() => readFileSync(path, 'utf8') !== before, 10_000);
  return readFileSync(path, 'utf8');
}
