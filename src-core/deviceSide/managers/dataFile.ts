import { homedir } from 'node:os';
import { join } from 'node:path';

/** The path of a file in the user's folder for the data of programs, as the operating system has it. */
export function dataFile(name: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(dataFolder(env), 'toolwire-device', name);
}

function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  const said = env['XDG_DATA_HOME'] ?? '';
  return said === '' ? join(homedir(), '.local', 'share') : said;
}
