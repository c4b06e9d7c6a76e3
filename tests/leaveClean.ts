/**
 * The files of the projects node and e2e share a worker's process, because starting one takes longer than most files.
 * After each file, this removes what the file left: module state, timers, globals and environment variables.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
});
