import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What the data directory follows from. */
export interface DataDirSources {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
}

/**
 * Where Toolwire keeps its data when nobody said where: `TOOLWIRE_DATA_DIR`, else the platform's place for such data
 * (`$XDG_DATA_HOME/toolwire`, `~/Library/Application Support/Toolwire`, `%APPDATA%\Toolwire`).
 */
export function defaultDataDir(
  { env, platform, home }: DataDirSources = { env: process.env, platform: process.platform, home: homedir() },
): string {
  if (env['TOOLWIRE_DATA_DIR']) return resolve(env['TOOLWIRE_DATA_DIR']);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Toolwire');
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Toolwire');
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'toolwire');
}
