import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { shellWord } from '../base/shellWord.ts';
import { defaultDataDir } from '../dataDir.ts';
import type { ToolwireCommand } from '../features/hosts/connectTexts.ts';

/** The built program; the source only if there is none yet: `npm start` loads this module before it builds. */
function findCliFile(module = import.meta.url): string {
  const built = new URL(module.endsWith('.ts') ? '../../dist/cli.js' : './cli.js', module);
  return fileURLToPath(existsSync(built) ? built : new URL('../cli.ts', module));
}

/**
 * How this machine runs `toolwire`: the command of the package; by that name if `startedAs`, the script that was started, has
 * it and is not in the folder that npm and npx put on the PATH for one command only. Otherwise, as after `npm start`, Node and
 * the file are named.
 */
export function toolwireCommand(startedAs = process.argv[1] ?? '', module = import.meta.url): ToolwireCommand {
  const packaged = packagedCommand();
  if (packaged) return packaged;
  if (basename(startedAs) === 'toolwire' && basename(dirname(startedAs)) !== '.bin')
    return { text: 'toolwire', words: ['toolwire'] };
  const words = [process.execPath, findCliFile(module)];
  return { text: words.map((word) => shellWord(word, process.platform)).join(' '), words };
}

/** The program that runs, and its surroundings. */
interface Place {
  /** cli.js. */
  file: string;
  platform: NodeJS.Platform;
  /** Electron. */
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** How this machine runs the `toolwire` of the package that this program is in; undefined if it is in none. */
export function packagedCommand(place = here()): ToolwireCommand | undefined {
  const { file, platform, execPath } = place;
  const archive = dirname(dirname(file));
  if (basename(archive) !== 'app.asar') return undefined;
  const bin = join(dirname(archive), 'bin');
  // Claude Desktop runs a .cmd file by cmd.exe, and does not quote a path with a space for it.
  if (platform === 'win32')
    return {
      text: shellWord(join(bin, 'toolwire.cmd'), platform),
      words: [execPath, file],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    };
  const isMounted = findAppImage(place) !== undefined;
  const folder = isMounted ? join(defaultDataDir({ ...place, home: homedir() }), 'bin') : bin;
  const script = join(folder, 'toolwire');
  return { text: shellWord(script, platform), words: [script] };
}

/** The AppImage that this program is in, if any. APPIMAGE alone may be that of the terminal in which this program was started. */
export function findAppImage({ file, env: { APPIMAGE, APPDIR } } = here()): string | undefined {
  return APPDIR && file.startsWith(`${APPDIR}/`) ? APPIMAGE : undefined;
}

function here(): Place {
  return { file: findCliFile(), platform: process.platform, execPath: process.execPath, env: process.env };
}
