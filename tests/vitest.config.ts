import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { vuePlugin } from '../.config/vuePlugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One project a kind of part: plain Node, a DOM for components, a real browser for whole journeys. */
export default defineConfig({
  root,
  test: {
    // Many tests wait for processes that they have started: on 2 cores, 2 workers leave a third of the time unused.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        root,
        test: {
          name: 'node',
          include: ['tests/{core,contract,interop,electron,fuzz,attacks}/**/*.test.ts'],
          setupFiles: ['tests/leaveClean.ts', 'tests/waitPatiently.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 30_000,
          // The default of 1 s is too short while all other tests run.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        root,
        plugins: [vuePlugin()],
        test: {
          name: 'renderer',
          include: ['tests/renderer/**/*.test.ts'],
          setupFiles: ['tests/renderer/leaveClean.ts', 'tests/waitPatiently.ts'],
          environment: 'jsdom',
          isolate: false,
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          setupFiles: ['tests/leaveClean.ts'],
          environment: 'node',
          isolate: false,
          // After the others, two windows at a time: a window mostly waits.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as locators wait (app.ts).
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
