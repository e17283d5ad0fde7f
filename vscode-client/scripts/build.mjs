// Bundles the extension (or, with --tests, its unit tests) by esbuild.
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';

const tests = process.argv.includes('--tests');
const minify = process.argv.includes('--minify');
const shared = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning', format: 'cjs' };

if (tests) {
  rmSync('dist-test', { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`),
    outdir: 'dist-test',
    external: ['vscode'],
    sourcemap: 'inline',
  });
} else {
  await build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    minify,
    sourcemap: !minify,
  });
}
