import { chat } from './chat.ts';
import { cluster } from './cluster.ts';
import { commands } from './commands.ts';
import { common } from './common.ts';
import { devices } from './devices.ts';
import { discovery } from './discovery.ts';
import { errors } from './errors.ts';
import { endpoints } from './endpoints.ts';
import { executor } from './executor.ts';
import { gateway } from './gateway.ts';
import { hosts } from './hosts.ts';
import { models } from './models.ts';
import { parser } from './parser.ts';
import { questions } from './questions.ts';
import { realtime } from './realtime.ts';
import { saved } from './saved.ts';
import { servers } from './servers.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';

export const en = {
  common,
  commands,
  shell,
  discovery,
  executor,
  parser,
  devices,
  cluster,
  gateway,
  hosts,
  endpoints,
  chat,
  models,
  realtime,
  questions,
  saved,
  servers,
  settings,
  errors,
};
