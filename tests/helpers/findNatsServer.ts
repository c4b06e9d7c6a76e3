import { existsSync } from 'node:fs';

/** The path of nats-server; undefined if it is not installed. */
export const natsServer = [
  process.env['NATS_SERVER'],
  '/usr/sbin/nats-server',
  '/usr/local/bin/nats-server',
  '/opt/homebrew/bin/nats-server',
].find((path) => path !== undefined && existsSync(path));
