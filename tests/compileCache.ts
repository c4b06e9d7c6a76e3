/**
 * Passes the folder of compiled code on to the processes that do work for the product (`workChild.ts`). They get nothing of the
 * environment, and without it each of them compiles the same sources.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

const { NODE_COMPILE_CACHE } = process.env;
const { fork } = childProcess;

function setFork(value: typeof fork): void {
  childProcess.fork = value;
  syncBuiltinESMExports();
}

if (NODE_COMPILE_CACHE !== undefined) {
  setFork(((file, args, options) =>
    fork(file, args, { ...options, env: { NODE_COMPILE_CACHE, ...(options?.env ?? process.env) } })) as typeof fork);
  // Files share a worker's process.
  afterAll(() => setFork(fork));
}
