import { calls } from './calls.ts';
import { chat } from './chat.ts';
import { configFiles } from './configFiles.ts';
import { hosts } from './hosts.ts';
import { workbench } from './workbench.ts';

/** The English catalogue. */
export const en = {
  ...calls,
  ...chat,
  ...configFiles,
  ...hosts,
  ...workbench,
};
