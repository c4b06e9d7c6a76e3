/** Electron's utility processes, as its documentation describes them, on child processes of Node. */
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';

import type { UtilityProcessPart } from '../../electron/electronParts.ts';

/** In a utility process, `process.parentPort` stands for `process.send` and its events. */
const parentPort = `process.parentPort = {
  on: (event, listener) => process.on(event, (data) => listener({ data })),
  postMessage: (message) => process.send(message),
};`;

type Fork = UtilityProcessPart['fork'];

/**
 * Starts a fake utility process. A switch `--js-flags` of Chromium is a list of options of Node. An empty environment is none.
 * An end without memory is told by the error output alone, as in Electron.
 */
export const startFakeUtility: Fork = (modulePath, args, { env, execArgv, stdio }) => {
  const flags = execArgv.flatMap((each) => /^--js-flags=(.*)$/.exec(each)?.[1]?.split(' ') ?? []);
  const child = fork(modulePath, args, {
    env: Object.keys(env).length === 0 ? process.env : env,
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(parentPort)}`, ...flags],
    serialization: 'advanced',
    stdio: [...stdio, 'ipc'],
  });
  const events = new EventEmitter();
  let isSpawned = false;
  child.on('message', (message) => events.emit('message', message));
  child.on('spawn', () => {
    isSpawned = true;
    events.emit('spawn');
  });
  child.on('close', (code) => events.emit('exit', code ?? 128));
  return Object.assign(events, {
    stderr: child.stderr,
    postMessage: (message: object) => void child.send(message),
    kill: () => isSpawned && child.kill(),
  });
};
