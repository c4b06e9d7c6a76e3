import { calls } from './calls.ts';
import { chat } from './chat.ts';
import { configFiles } from './configFiles.ts';
import { endpoint } from './endpoint.ts';
import { hosts } from './hosts.ts';
import { servers } from './servers.ts';
import { signIn } from './signIn.ts';
import { workbench } from './workbench.ts';

/** The English catalogue. */
export const en = {
  ...calls,
  ...chat,
  ...configFiles,
  ...endpoint,
  ...hosts,
  ...servers,
  ...signIn,
  ...workbench,
};
