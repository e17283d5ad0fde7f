// What was checked and how it went, one line each, and the closing count.

export class Report {
  passed = 0;
  failed = 0;

  /** Counts one check. `detail` is shown when it fails. */
  check(name, ok, detail = '') {
    if (ok) this.passed += 1;
    else this.failed += 1;
    console.log(ok ? `  ok      ${name}` : `  FAILED  ${name}${detail === '' ? '' : `\n          ${detail}`}`);
    return ok;
  }

  equal(name, actual, expected) {
    const [a, e] = [actual, expected].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return this.check(name, a === e, `expected ${e}\n          found    ${a}`);
  }

  /** A scenario that throws counts as one failure, and the next one still runs. */
  async scenario(name, run) {
    const start = Date.now();
    console.log(name);
    try {
      await run();
    } catch (error) {
      this.check('runs to its end', false, String(error?.stack ?? error));
    }
    console.log(`  (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  }

  close() {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 && this.passed > 0;
  }
}

/** Polls until `probe` answers something truthy and returns it; undefined when the time is over. */
export async function until(probe, milliseconds = 20_000, pause = 100) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) return undefined;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
