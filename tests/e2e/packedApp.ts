/** The package of Linux as electron-builder packs it, with Node in place of Electron. */
import { extractAll } from '@electron/asar';
import { FuseV1Options } from '@electron/fuses';
import { chmodSync, cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packApp } from '../electron/packApp.ts';
import { standInElectron } from '../electron/standInElectron.ts';
import { testFolder } from '../electron/testFiles.ts';

/**
 * Packs the app into `app`, by default a folder whose path has a space. Node reads no archive, so that `app.asar` is a folder with the same
 * files. The program is a script that runs Node as Electron runs as Node, and refuses to open a window.
 */
export async function packedApp(
  app = join(testFolder(), 'Tool wire'),
): Promise<{ app: string; program: string; archive: string }> {
  const packed = await packApp({ electronDist: standInElectron(Object.keys(FuseV1Options).length / 2) });
  cpSync(packed.app, app, { recursive: true });
  const archive = join(app, 'resources/app.asar');
  extractAll(archive, `${archive}.files`);
  rmSync(archive);
  renameSync(`${archive}.files`, archive);

  const program = join(app, 'toolwire');
  const hook = join(app, 'asElectron.mjs');
  writeFileSync(
    hook,
    `process.execPath = ${JSON.stringify(program)};
    Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.4.1' } });`,
  );
  writeFileSync(
    program,
    `#!/bin/sh
    [ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo "opens a window" >&2; exit 70; }
    exec "${process.execPath}" --import "${pathToFileURL(hook).href}" "$@"`,
  );
  chmodSync(program, 0o755);
  return { app, program, archive };
}
