/**
 * The contract between the window and the engine. Inputs are validated here, before any handler sees them; what breaks
 * an input schema ends as `BAD_REQUEST`. Only tests check outputs. The page imports nothing but the types of this file.
 */
import { apps } from './apps.ts';
import { calls } from './calls.ts';
import { captures } from './captures.ts';
import { chat } from './chat.ts';
import { cluster } from './cluster.ts';
import { collections } from './collections.ts';
import { conformance } from './conformance.ts';
import { devices } from './devices.ts';
import { endpoint } from './endpoint.ts';
import { frames } from './frames.ts';
import { gateway } from './gateway.ts';
import { hosts } from './hosts.ts';
import { models } from './models.ts';
import { parser } from './parser.ts';
import { realtime } from './realtime.ts';
import { removed } from './removed.ts';
import { runs } from './runs.ts';
import { servers } from './servers.ts';
import { settings } from './settings.ts';
import { tools } from './tools.ts';
import { vision } from './vision.ts';
import { workbench } from './workbench.ts';

/** Every procedure between a window, or a terminal, and the engine. One file an area in `contract/`. */
export const contract = {
  workbench,
  tools,
  calls,
  parser,
  devices,
  frames,
  captures,
  vision,
  models,
  chat,
  collections,
  cluster,
  gateway,
  hosts,
  endpoint,
  realtime,
  removed,
  runs,
  servers,
  conformance,
  apps,
  settings,
};
