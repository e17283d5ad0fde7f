// Builds dist/jaxref.vsix from the checkout: node scripts/package.mjs [--source DIR]
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const client = dirname(dirname(fileURLToPath(import.meta.url)));
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
const run = (...args) => execFileSync(process.execPath, args, { cwd: client, stdio: ['ignore', 'ignore', 'inherit'] });

run('scripts/bundle-server.mjs', ...process.argv.slice(2));
run(
  vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', 'dist/jaxref.vsix',
  // Looking for secrets in pinned libraries takes vsce minutes; check-contents.mjs holds every file
  // against an allow-list.
  '--allow-package-all-secrets', '--allow-package-env-file',
);
execFileSync(process.execPath, ['scripts/check-contents.mjs'], { cwd: client, stdio: 'inherit' });
