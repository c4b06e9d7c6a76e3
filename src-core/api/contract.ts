/**
 * The contract between the window and the engine. Inputs are validated here, before any handler sees them; what breaks
 * an input schema ends as `BAD_REQUEST`. Outputs are typed only. The page imports nothing but the types of this file.
 */
import { calls } from './contract/calls.ts';
import { captures } from './contract/captures.ts';
import { chat } from './contract/chat.ts';
import { collections } from './contract/collections.ts';
import { devices } from './contract/devices.ts';
import { gateway } from './contract/gateway.ts';
import { models } from './contract/models.ts';
import { parser } from './contract/parser.ts';
import { realtime } from './contract/realtime.ts';
import { removed } from './contract/removed.ts';
import { runs } from './contract/runs.ts';
import { settings } from './contract/settings.ts';
import { tools } from './contract/tools.ts';
import { vision } from './contract/vision.ts';
import { workbench } from './contract/workbench.ts';

/** Every procedure between a window, or a terminal, and the engine. One file an area in `contract/`. */
export const contract = {
  workbench,
  tools,
  calls,
  parser,
  devices,
  captures,
  vision,
  models,
  chat,
  collections,
  gateway,
  realtime,
  removed,
  runs,
  settings,
};
