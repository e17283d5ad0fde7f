// Holds the packaged file list against what is meant to travel, and its size against a limit.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');

const ALLOWED = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^dist\/extension\.js$/,
  /^launcher\/jaxref_server\.py$/,
  /^images\/icon\.png$/,
  /^walkthrough\/[a-z]+\.(md|png)$/,
  /^bundled\/licences\/.+/,
  /^bundled\/libs\/(attrs?|cattrs?|jaxref|jedi|lsprotocol|parso|pathspec|pygls)\/.+/,
  /^bundled\/libs\/typing_extensions\.py$/,
];
const NEEDED = ['dist/extension.js', 'bundled/libs/jaxref/__init__.py', 'bundled/libs/pygls/__init__.py', 'images/icon.png'];
const FORBIDDEN = /\.(so|pyd|dylib|dll|pyc|map|ts)$|\.dist-info\/|node_modules/;
const LIMIT_MB = 12;

const files = execFileSync(process.execPath, [vsce, 'ls', '--no-dependencies'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter((line) => line !== '');
const wrong = files.filter((file) => FORBIDDEN.test(file) || !ALLOWED.some((pattern) => pattern.test(file)));
const missing = NEEDED.filter((file) => !files.includes(file));
const megabytes = statSync('dist/jaxref.vsix').size / 2 ** 20;
for (const file of wrong) console.error(`must not be packaged: ${file}`);
for (const file of missing) console.error(`must be packaged: ${file}`);
if (megabytes > LIMIT_MB) console.error(`${megabytes.toFixed(1)} MB is more than ${LIMIT_MB} MB`);
if (wrong.length > 0 || missing.length > 0 || megabytes > LIMIT_MB) process.exit(1);
console.log(`dist/jaxref.vsix: ${files.length} files, ${megabytes.toFixed(1)} MB`);
