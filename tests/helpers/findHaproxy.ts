import { existsSync } from 'node:fs';

/** The path of haproxy; undefined if it is not installed. */
export const haproxy = [
  process.env['HAPROXY'],
  '/usr/sbin/haproxy',
  '/usr/local/sbin/haproxy',
  '/opt/homebrew/bin/haproxy',
].find((path) => path !== undefined && existsSync(path));
