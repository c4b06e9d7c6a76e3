/**
 * The files of the projects node and e2e share a worker's process, because starting one takes longer than most files.
 * After each file, this removes what the file left: timers, globals and environment variables. Modules with their state stay.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
