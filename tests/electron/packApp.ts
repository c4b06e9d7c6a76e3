/** Packs the app with electron-builder, offline: a stand-in in Electron's place. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { System } from './standInElectron.ts';
import { testFolder } from './testFiles.ts';

/** Where electron-builder puts the unpacked app, and in it the file with the fuses, its resources and what it starts. */
const places = {
  linux: { app: 'linux-unpacked', fuses: 'toolwire', resources: 'resources' },
  win: { app: 'win-unpacked', fuses: 'Toolwire.exe', resources: 'resources' },
  mac: { app: 'mac/Toolwire.app', fuses: '', resources: 'Contents/Resources' },
} satisfies Record<System, object>;

/**
 * Packs with the project's own electron-builder.yml, for x64. `appDir` stands in for the project's folder where it is
 * given: then `dist/` need not be built. `targets` other than the folder need their tools in `env`.
 */
export async function packApp(options: {
  electronDist: string;
  system?: System;
  appDir?: string;
  targets?: readonly string[];
  /** More of electron-builder's own `-c.…` flags. */
  flags?: readonly string[];
  env?: Record<string, string>;
}): Promise<{ output: string; app: string; fuses: string; resources: string }> {
  const { system = 'linux', targets = ['dir'], appDir } = options;
  const output = testFolder();
  const flags = [
    `-c.electronDist=${options.electronDist}`,
    `-c.directories.output=${output}`,
    ...(options.flags ?? []),
  ];
  if (appDir !== undefined) flags.push(`-c.directories.app=${appDir}`);
  const child = spawn(
    process.execPath,
    ['node_modules/electron-builder/cli.js', `--${system}`, ...targets, '--x64', '--publish', 'never', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } },
  );
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`electron-builder ended with ${String(code)}:\n${out}${errors}`);
  const place = places[system];
  const app = join(output, place.app);
  return { output, app, fuses: join(app, place.fuses), resources: join(app, place.resources) };
}
