/** What stands in for Electron's folder of each system where electron-builder packs: its files' shapes, without Electron. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { testFolder, writeFiles } from './testFiles.ts';

export type System = 'linux' | 'mac' | 'win';

/** Stands before the fuses in Electron's binary (`@electron/fuses`, constants). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Electron's text around its fuses: the sentinel, the version 1, how many there are, one digit each. */
function fuseWire(count: number): Buffer {
  const wire = [Buffer.from(`${sentinel}\x01`), Buffer.from([count]), Buffer.from('1'.repeat(count))];
  return Buffer.concat([Buffer.from('stand-in '), ...wire, Buffer.from(' end')]);
}

/** A folder as Electron's for that system, with that many fuses. */
export function standInElectron(fuses: number, system: System = 'linux'): string {
  const dir = testFolder();
  writeFiles(dir, { ...filesOf[system](fuseWire(fuses)), version: '45.4.1' });
  return dir;
}

const filesOf: Record<System, (wire: Buffer) => Record<string, string | Buffer>> = {
  linux: (wire) => ({ electron: wire }),
  win: (wire) => ({ 'electron.exe': Buffer.concat([emptyProgram(), wire]) }),
  mac: (wire) => {
    const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((kind) => `Electron Helper${kind}`);
    const files: Record<string, string | Buffer> = {
      'Info.plist': infoPlist('Electron'),
      'MacOS/Electron': '',
      'Resources/electron.icns': '',
      'Frameworks/Electron Framework.framework/Electron Framework': wire,
    };
    for (const name of helpers) {
      files[`Frameworks/${name}.app/Contents/Info.plist`] = infoPlist(name);
      files[`Frameworks/${name}.app/Contents/MacOS/${name}`] = '';
    }
    return Object.fromEntries(
      Object.entries(files).map(([path, content]) => [join('Electron.app/Contents', path), content]),
    );
  },
};

function infoPlist(executable: string): string {
  const icon = '<key>CFBundleIconFile</key><string>electron.icns</string>';
  return `<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleExecutable</key><string>${executable}</string>${icon}</dict></plist>`;
}

/** The library with which electron-builder writes a program's resources. */
export interface ResEdit {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): Program; from(bytes: Buffer): Program };
  NtExecutableResource: { from(program: Program): Resources };
  Resource: { VersionInfo: { createEmpty(): VersionInfo; fromEntries(entries: ResourceEntry[]): VersionInfo[] } };
}
interface Program {
  generate(): ArrayBuffer;
}
interface ResourceEntry {
  type: string | number;
  id: string | number;
  bin: ArrayBuffer;
}
interface Resources {
  entries: ResourceEntry[];
  outputResource(program: Program): void;
}
interface VersionInfo {
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
  getStringValues(language: { lang: number; codepage: number }): Record<string, string>;
  outputToResourceEntries(entries: ResourceEntry[]): void;
}

/** English, UTF-16: the one language of Electron's own resources. */
export const language = { lang: 1033, codepage: 1200 };

/** The one that app-builder-lib itself loads. */
export function resEdit(): ResEdit {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('app-builder-lib/package.json'))('resedit') as ResEdit;
}

/** A program for Windows that does nothing, with a version as Electron's has one. */
function emptyProgram(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource } = resEdit();
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues(language, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}
