import { writeFileSync } from 'node:fs';

import type { BundledPackages } from './bundledPackages.ts';
import { licenceOf, type PackageLicence } from './licenceTexts.ts';

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
