import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { quote } from '../src-core/features/hosts/connectTexts.ts';

/** Runs the terminal's program of the AppImage, which has no path of its own before the AppImage is mounted. */
const start =
  'const file = require("path").join(process.execPath, "../resources/app.asar/dist/cli.js"); ' +
  'process.argv.splice(1, 1, file); import(require("url").pathToFileURL(file));';

/**
 * Writes the command `toolwire` of an AppImage. An AppImage is mounted in another folder at each start, and has another name
 * after an update. On a system without user namespaces, AppRun would put `--no-sandbox` before the arguments if it were not one
 * of them; Node refuses it there.
 */
export function writeAppImageCommand(file: string, appImage: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quote(appImage)} -e ${quote(start)} -- --no-sandbox "$@"\n`,
    { mode: 0o755 },
  );
}
