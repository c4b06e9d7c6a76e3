import { dirname, join, relative } from 'node:path';
import { writeFileSync, readdirSync, readFileSync } from 'node:fs';

import type { BundledPackages } from './bundledPackages.ts';

const isLicence = /^(licen[cs]e|copying|notices?|third[-_. ]?party[-_. ]?notices?)([-_.][\w-]+)?(\.(md|txt))?$/i;

/** Licences that allow use in closed and open programs and only require that their text is included. */
const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'OFL-1.1',
  'Zlib',
  'Unlicense',
  'BlueOak-1.0.0',
];

const line = '='.repeat(80);
const intro = `Toolwire contains the software below. Its own licence is MIT: the file LICENSE.

The desktop app also contains Electron, Chromium and Node.js; their licences are the files LICENSE.electron.txt and
LICENSES.chromium.html beside the program (on macOS in Toolwire.app/Contents/Resources).`;

/** Writes the licences of all that was bundled into one file. Throws with everything that is missing. */
export function writeNotices(options: { packages: BundledPackages; addedDir: string; file: string }): void {
  const { packages, addedDir, file } = options;
  const problems: string[] = [];
  const licences = [...packages]
    .flatMap(([folder, folders]) => {
      try {
        return licenceOf({ folder, folders, addedDir });
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
        return [];
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (licences.length === 0) throw new Error('Nothing was bundled: there are no notices to write.');
  const list = licences.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join('\n');
  writeFileSync(file, [intro, list, ...licences.map(section)].join('\n\n') + '\n');
}

function section({ name, version, licence, texts }: PackageLicence): string {
  const head = `${line}\n${name} ${version} (${licence})\n${line}`;
  return [head, ...texts.map(({ from, text }) => `[${from}]\n\n${text}`)].join('\n\n');
}

interface PackageLicence {
  name: string;
  version: string;
  /** As package.json names it, such as `MIT`. */
  licence: string;
  /** Complete texts: first the package's own, then those from `addedDir`. */
  texts: { from: string; text: string }[];
}

/**
 * Returns the licence of a package: every licence file on the way from `folders` (the bundled ones) up to the package's
 * own `folder`, and its files in `addedDir` (`NAME.txt`, or `NAME+WHAT.txt` for third-party code in it; `__` replaces
 * the slash).
 * @throws {Error} If there is no licence text, or if the licence has not been reviewed yet.
 */
function licenceOf(options: { folder: string; folders: Iterable<string>; addedDir: string }): PackageLicence {
  const { folder, folders, addedDir } = options;
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: unknown;
  };
  const licence = typeof license === 'string' ? license : 'none';
  const names = licence.replace(/[()]/g, ' ').split(/ (?:OR|AND) /);
  const fits = licence.includes(' OR ') ? names.some(isPermissive) : names.every(isPermissive);
  if (!fits) throw new Error(`${name} ${version} is bundled under "${licence}", which licenceTexts.ts does not know.`);

  const texts = [...new Set([...folders].flatMap((inner) => foldersUp(inner, folder)))].sort().flatMap((dir) =>
    readdirSync(dir)
      .filter((file) => isLicence.test(file))
      .sort()
      .map((file) => textOf(join(dir, file), relative(folder, join(dir, file)))),
  );
  const added = name.replaceAll('/', '__');
  const ours = readdirSync(addedDir)
    .filter((file) => file === `${added}.txt` || file.startsWith(`${added}+`))
    .sort();
  texts.push(...ours.map((file) => textOf(join(addedDir, file), file)));
  // The Apache licence requires its full text. Packages often contain only the lines that refer to it.
  if (licence === 'Apache-2.0' && !texts.some(({ text }) => text.includes('TERMS AND CONDITIONS FOR USE')))
    texts.push(textOf(join(addedDir, 'Apache-2.0.txt'), 'Apache-2.0.txt'));
  // A link to a licence is not its text.
  if (!texts.some(({ text }) => text.length >= 500))
    throw new Error(
      `${name} ${version} is bundled, and has no licence text. Put it into ${join(addedDir, added)}.txt.`,
    );
  return { name, version, licence, texts };
}

function isPermissive(name: string): boolean {
  return permissive.includes(name.trim());
}

function foldersUp(from: string, to: string): string[] {
  return from === to ? [to] : [from, ...foldersUp(dirname(from), to)];
}

function textOf(path: string, from: string): { from: string; text: string } {
  const text = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim();
  return { from: from.replaceAll('\\', '/'), text };
}
