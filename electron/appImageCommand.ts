import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { replaceFile } from '../src-core/base/replaceFile.ts';
import { shellWord } from '../src-core/base/shellWord.ts';

/** Runs the terminal's program of the AppImage, which has no path of its own before the AppImage is mounted. */
const start =
  'const file = require("path").join(process.execPath, "../resources/app.asar/dist/cli.js"); ' +
  'process.argv.splice(1, 1, file); import(require("url").pathToFileURL(file));';

/**
 * Writes the command `toolwire` of an AppImage. An AppImage is mounted in another folder at each start, and has another name
 * after an update. On a system without user namespaces, AppRun would put `--no-sandbox` before the arguments if it were not one
 * of them; Node refuses it there. The file is replaced as a whole, as a host may be starting it.
 */
export function writeAppImageCommand(file: string, appImage: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const [image, code] = [appImage, start].map((word) => shellWord(word, 'linux'));
  replaceFile(file, `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${image} -e ${code} -- --no-sandbox "$@"\n`, 0o755);
}
