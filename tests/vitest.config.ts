import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { vuePlugin } from '../.config/vuePlugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Most objects of a test die young: with the default of 16 MB, a twentieth of the processor time goes into copying those that live. */
const execArgv = ['--max-semi-space-size=64'];

/** Node loads the files itself, as it does in `npm start`: with Vite's module runner, each file takes a third more processor time. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

/**
 * One project a kind of part: plain Node, a DOM for components, a real browser for whole journeys. The first and the last share their
 * workers: neither waits for the last file of the other.
 */
export default defineConfig({
  root,
  test: {
    // Many tests wait for processes that they have started: on 2 cores, 2 workers leave a third of the time unused, 3 a quarter.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        root,
        test: {
          name: 'node',
          include: ['tests/{core,contract,interop,electron,fuzz,attacks}/**/*.test.ts'],
          setupFiles: ['tests/leaveClean.ts', 'tests/waitPatiently.ts', 'tests/compileCache.ts'],
          environment: 'node',
          isolate: false,
          execArgv,
          experimental,
          // The defaults are too short while all other tests run.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        root,
        plugins: [vuePlugin()],
        test: {
          name: 'renderer',
          include: ['tests/renderer/**/*.test.ts'],
          // They seldom wait, and each worker loads the whole window: they run after the others, in as few as the processor can use.
          sequence: { groupOrder: 1 },
          maxWorkers: availableParallelism(),
          setupFiles: ['tests/renderer/leaveClean.ts', 'tests/waitPatiently.ts'],
          environment: 'jsdom',
          isolate: false,
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
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
          execArgv,
          experimental,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as locators wait (app.ts).
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
