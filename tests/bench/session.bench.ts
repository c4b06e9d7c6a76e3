import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { watchPage } from '../e2e/watchPage.ts';
import { deviceSteps } from './session/deviceSteps.ts';
import { executorSteps, labModule } from './session/executorSteps.ts';
import { measurePage } from './session/measurePage.ts';
import { modelSteps } from './session/modelSteps.ts';
import { openSession } from './session/openSession.ts';
import { parserSteps } from './session/parserSteps.ts';
import { startServedProcess, type ServedProcess } from '../helpers/servedProcess.ts';
import { StepTasks } from './session/stepTasks.ts';
import { windowSteps } from './session/windowSteps.ts';
import { watchTasks } from './watchTasks.ts';

/** `SESSION_MINUTES=60` for the hour in docs/benchmarks.md. */
const minutes = Number(process.env['SESSION_MINUTES'] ?? 5);
const steps = [...executorSteps, ...deviceSteps, ...parserSteps, ...modelSteps, ...windowSteps];
/** Every sample as it comes, for whoever cannot wait. */
const log = 'tests/.out/session.jsonl';

type Sample = Record<
  | 'minute'
  | 'round'
  | 'page heap, MB'
  | 'DOM nodes'
  | 'listeners'
  | 'engine heap, MB'
  | 'engine resident, MB'
  | 'load of the machine',
  number
>;

interface Outcome {
  title: string;
  note?: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}

/**
 * What a person and devices do, again and again, in one window that is never loaded anew: what the page and the engine hold
 * once a minute after a full collection, always with Discovery shown, and the longest task of the page's thread in each step.
 */
export async function run(): Promise<Outcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-session-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'lab.js'), labModule);
  mkdirSync('tests/.out', { recursive: true });
  writeFileSync(log, '');
  const samples: Sample[] = [];
  const tasks = new StepTasks();
  const failed: string[] = [];
  let engine: ServedProcess | undefined;
  let browser: Browser | undefined;
  try {
    engine = await startServedProcess(dataDir);
    const flags = [...chromiumFlags, '--autoplay-policy=no-user-gesture-required'];
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: flags });
    const page = await openSession(browser, engine.served.link);
    const problems = watchPage(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const watch = await watchTasks(page);
    const begun = performance.now();
    const passed = (): number => (performance.now() - begun) / 60_000;
    for (let round = 0, next = 0; passed() < minutes; round++) {
      for (const step of steps) {
        const row = await watch(step.name, () =>
          step.run({ page, otaUrl: engine?.served.device.otaUrl ?? '' }).catch(async (cause: unknown) => {
            failed.push(`Round ${round}, ${step.name}: ${String(cause)}`);
            appendFileSync(log, `${JSON.stringify(failed.at(-1))}\n`);
            await page.screenshot({ path: `tests/.out/session-failed-${failed.length}.png` });
            for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
          }),
        );
        tasks.note(row, round);
      }
      if (passed() < next) continue;
      const [inPage, inEngine] = [await measurePage(cdp), await engine.inspector.memory()];
      const sample: Sample = {
        minute: tenth(passed()),
        round: round + 1,
        'page heap, MB': tenth(inPage.heap),
        'DOM nodes': inPage.nodes,
        listeners: inPage.listeners,
        'engine heap, MB': tenth(inEngine.heap),
        'engine resident, MB': tenth(inEngine.resident),
        'load of the machine': tenth(loadavg()[0] ?? 0),
      };
      samples.push(sample);
      appendFileSync(log, `${JSON.stringify(sample)}\n${JSON.stringify(tasks.rows())}\n`);
      next = passed() + 1;
    }
    failed.push(...problems);
  } finally {
    await browser?.close();
    await engine?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return [
    {
      title: `Memory in a session of ${minutes} minutes`,
      note:
        'After a full collection each, with Discovery shown. Judged from the second sample to the last: nodes and listeners may grow ' +
        `by a tenth, the heaps by a half, since compiled code counts as heap. ${failed.length === 0 ? 'Every step did what it should.' : failed.join('\n')}`,
      rows: samples,
      pass: failed.length === 0 && isSteady(samples),
    },
    { title: 'The longest task in each step of the session', rows: tasks.rows(), pass: true },
  ];
}

/** The first round loads code and makes what stays; from then on the same work is to need the same room. */
function isSteady(samples: readonly Sample[]): boolean {
  const [warm, last] = [samples[1], samples.at(-1)];
  if (warm === undefined || last === undefined) return true;
  const grown = (what: keyof Sample): number => last[what] / warm[what];
  const heaps = Math.max(grown('page heap, MB'), grown('engine heap, MB'));
  return Math.max(grown('DOM nodes'), grown('listeners')) <= 1.1 && heaps <= 1.5;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
