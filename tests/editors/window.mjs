// One VS Code window in a browser page, used as a person uses it: keys, mouse, and what can be seen.

import { join } from 'node:path';

import { until } from './report.mjs';

export const MARKED = '.squiggly-error';

export class Window {
  constructor(page, artefacts) {
    this.page = page;
    this.artefacts = artefacts;
  }

  static async open(browser, url, artefacts) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, deviceScaleFactor: 1 });
    await page.goto(url);
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    return new Window(page, artefacts);
  }

  async close() {
    await this.page.close();
  }

  async screenshot(name, clip) {
    await this.page.screenshot({ path: join(this.artefacts, `${name}.png`), ...(clip ? { clip } : {}) });
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  /** Runs a command by its title, through the palette. */
  async command(title) {
    await this.press('F1');
    await this.page.waitForSelector('.quick-input-widget:visible .quick-input-box input');
    await this.type(title);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row:has-text(${JSON.stringify(title)})`);
    await this.press('Enter');
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name) {
    await this.press('Control+1', 'Control+P');
    await this.page.waitForSelector('.quick-input-widget:visible .quick-input-box input');
    await this.type(name);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row:has-text(${JSON.stringify(name)})`);
    await this.press('Enter');
    await this.page.waitForSelector(`.tab.active:has-text(${JSON.stringify(name)})`);
  }

  /** Puts the cursor at a 1-based line and column of the file that is open, by the arrow keys. */
  async goTo(line, column) {
    await this.press('Control+1', 'Control+Home');
    for (let step = 1; step < line; step += 1) await this.press('ArrowDown');
    for (let step = 1; step < column; step += 1) await this.press('ArrowRight');
  }

  marks(selector = MARKED) {
    return this.page.locator(`.monaco-editor ${selector}`);
  }

  /** Whether the number of marks becomes `count` in time. */
  async marksBecome(count, selector = MARKED, milliseconds = 15_000) {
    return (await until(async () => (await this.marks(selector).count()) === count, milliseconds)) === true;
  }

  /** The editor's line on which the first mark stands, as it is shown. */
  async markedLine(selector = MARKED) {
    const mark = await this.marks(selector).first().boundingBox();
    const lines = this.page.locator('.monaco-editor .view-lines .view-line');
    for (const line of await lines.all()) {
      const box = await line.boundingBox();
      if (box !== null && Math.abs(box.y - mark.y) < box.height / 2) return plain(await line.textContent());
    }
    return undefined;
  }

  /** The lines that the editor shows, from the first that is in view to the last. */
  async shownText() {
    const lines = await this.page.locator('.monaco-editor .view-lines .view-line').evaluateAll((elements) =>
      elements
        .map((element) => [Number.parseFloat(element.style.top), element.textContent ?? ''])
        .sort(([a], [b]) => a - b)
        .map(([, text]) => text),
    );
    return lines.map(plain).join('\n');
  }

  async problemRows() {
    await this.page.waitForSelector('.markers-panel .monaco-list-row');
    const rows = await this.page.locator('.markers-panel .monaco-list-row').allTextContents();
    return rows.map(plain);
  }

  /** The hover at the cursor, opened by keyboard: all its text, once it holds `awaited`. */
  async hoverAtCursor(awaited) {
    await this.press('Control+K', 'Control+I');
    let text = '';
    await until(async () => {
      const parts = await this.page.locator('.monaco-hover:visible').allInnerTexts();
      text = plain(parts.join('\n'));
      return text.includes(awaited);
    }, 15_000);
    return text;
  }

  /** The entries of the quick-fix menu at the cursor, which stays open. */
  async openQuickFixes() {
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    // VS Code drops the request when the file's markers change meanwhile, as they do just after an
    // edit: a person presses again.
    for (let attempt = 1; attempt <= 3 && (await rows.count()) === 0; attempt += 1) {
      await this.press('Control+.');
      await rows.first().waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
    return (await rows.allTextContents()).map(plain);
  }

  /** Chooses an entry of the open menu by keyboard. */
  async chooseQuickFix(matches) {
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    for (let step = 0; step < 30; step += 1) {
      const focused = plain((await this.page.locator('.action-widget .monaco-list-row.focused').first().textContent()) ?? '');
      if (matches.test(focused)) {
        await this.press('Enter');
        await rows.first().waitFor({ state: 'hidden' });
        return focused;
      }
      await this.press('ArrowDown');
    }
    throw new Error(`no quick fix matches ${matches}`);
  }

  /**
   * Takes every change of an edit for which the editor asks, in the Refactor Preview, by keyboard.
   * False when the editor does not ask in time.
   */
  async confirmRefactoring(milliseconds = 5_000) {
    const apply = this.page.locator('.monaco-button:has-text("Apply")').first();
    try {
      await apply.waitFor({ timeout: milliseconds });
    } catch {
      return false;
    }
    await this.screenshot('2-refactor-preview');
    await this.command('Focus on Refactor Preview View');
    await this.press('Home', 'Space');
    // The key does nothing until the tree has told that something is ticked.
    const applied = await until(async () => {
      await this.press('Control+Enter');
      return !(await apply.isVisible());
    }, 10_000, 500);
    return applied === true;
  }

  async notifications() {
    const texts = await this.page.locator('.notifications-toasts .notification-list-item').allTextContents();
    return texts.map(plain);
  }
}

/** Text without the non-breaking spaces in which the editor renders blanks. */
export function plain(text) {
  return text.replace(/\u00a0/g, ' ').replace(/[\u200b\u200c\u200d]/g, '');
}
