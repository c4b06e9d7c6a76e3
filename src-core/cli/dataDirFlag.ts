import { resolve } from 'node:path';

import { defaultDataDir } from '../dataDir.ts';
import type { FlagSpec, GivenFlags } from './command.ts';

/** The flag that every command with a workbench has. */
export const dataDirFlag = {
  'data-dir': {
    type: 'string',
    value: 'DIR',
    help: `data directory, with settings, history and modules (TOOLWIRE_DATA_DIR)`,
  },
} satisfies Record<string, FlagSpec>;

/** The directory that was named, or the platform's. */
export function dataDirOf(flags: GivenFlags): string {
  return resolve(flags.text('data-dir') ?? defaultDataDir());
}
