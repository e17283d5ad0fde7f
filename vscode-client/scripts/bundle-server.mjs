// Fills bundled/: the jaxref package of this checkout and the pure-Python libraries it needs.
//
// Libraries are installed as wheels for "any platform, Python 3.11 or later" with pinned hashes, so
// the result is the same on every machine and holds no compiled module. They are fetched again only
// when bundled-requirements.txt changes. `--source DIR` takes the package from elsewhere.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const client = dirname(dirname(fileURLToPath(import.meta.url)));
const checkout = dirname(client);
const bundled = join(client, 'bundled');
const libs = join(bundled, 'libs');
const licences = join(bundled, 'licences');
const requirements = join(client, 'bundled-requirements.txt');
const stamp = join(bundled, 'libraries.sha256');

const sourceOption = process.argv.indexOf('--source');
const source = sourceOption > 0 ? process.argv[sourceOption + 1] : join(checkout, 'server', 'jaxref');

const project = readFileSync(join(checkout, 'pyproject.toml'), 'utf8');

const normalised = (name) => name.toLowerCase().replace(/[-_.]+/g, '-');

function pythonWithPip() {
  const candidates = [
    process.env.PYTHON,
    join(checkout, '.venv', 'bin', 'python'),
    join(checkout, '.venv', 'Scripts', 'python.exe'),
    'python3.13',
    'python3.12',
    'python3.11',
    'python3',
    'python',
  ];
  for (const candidate of candidates) {
    if (!candidate) continue;
    try {
      execFileSync(candidate, ['-m', 'pip', '--version'], { stdio: 'ignore' });
      return candidate;
    } catch {
      // Not there, does not run, or has no pip: the next one may.
    }
  }
  throw new Error('no Python with pip found: set PYTHON to one');
}

function checkRequirementsCoverTheProject() {
  const list = /^dependencies = \[([^\]]*)\]/m.exec(project);
  if (!list) throw new Error('pyproject.toml has no list of dependencies');
  const needed = [...list[1].matchAll(/"([A-Za-z0-9._-]+)/g)].map((match) => normalised(match[1]));
  const pinned = new Set(
    [...readFileSync(requirements, 'utf8').matchAll(/^([A-Za-z0-9._-]+)==/gm)].map((match) => normalised(match[1])),
  );
  const missing = needed.filter((name) => !pinned.has(name));
  if (missing.length > 0) throw new Error(`bundled-requirements.txt does not pin ${missing.join(', ')}`);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function installLibraries() {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(bundled, { recursive: true, force: true });
  mkdirSync(libs, { recursive: true });
  execFileSync(
    pythonWithPip(),
    [
      '-m', 'pip', '--quiet', '--quiet', 'install',
      '--root-user-action=ignore', '--disable-pip-version-check', '--no-compile', '--no-deps',
      '--require-hashes', '--only-binary=:all:', '--platform', 'any', '--python-version', '3.11',
      '--implementation', 'py', '--abi', 'none', '--target', libs, '-r', requirements,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  keepOnlyLicencesOfMetadata();
  rmSync(join(libs, 'bin'), { recursive: true, force: true });
  // Stubs of other projects' packages, three quarters of all files. They lie one folder deeper than
  // jedi looks, so it never finds them.
  rmSync(join(libs, 'jedi', 'third_party', 'typeshed', 'stubs'), { recursive: true, force: true });
  writeFileSync(stamp, wanted);
}

function keepOnlyLicencesOfMetadata() {
  for (const entry of readdirSync(libs)) {
    if (!entry.endsWith('.dist-info')) continue;
    const texts = filesBelow(join(libs, entry)).filter((file) => /^(licen[cs]e|copying|notice|authors)/i.test(basename(file)));
    if (texts.length === 0) throw new Error(`${entry} holds no licence text`);
    for (const file of texts) cpSync(file, join(licences, entry.replace(/\.dist-info$/, ''), basename(file)));
    rmSync(join(libs, entry), { recursive: true });
  }
}

const isSource = (path) => !/__pycache__|\.pyc$/.test(path);

/** What the wheel holds beside the package, as pairs of a path in the checkout and one in the wheel. */
function furtherContents() {
  const table = /^\[tool\.hatch\.build\.targets\.wheel\.force-include\]\n((?:"[^\n]*\n)*)/m.exec(project);
  return [...(table?.[1] ?? '').matchAll(/^"([^"]+)" = "([^"]+)"$/gm)].map(([, from, to]) => [from, to]);
}

function copyServer() {
  const target = join(libs, 'jaxref');
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true, filter: isSource });
  for (const [from, to] of furtherContents()) cpSync(join(checkout, from), join(libs, to), { recursive: true, filter: isSource });
  for (const file of filesBelow(libs)) {
    // Left behind when the server was run from here.
    if (file.endsWith('.pyc')) rmSync(file);
    else if (/\.(so|pyd|dylib|dll)$/.test(file)) throw new Error(`${file} is compiled for one platform`);
  }
}

checkRequirementsCoverTheProject();
installLibraries();
copyServer();
