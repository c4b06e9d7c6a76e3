import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { fillDataDir } from './start/fillDataDir.ts';
import { measureOpening, type Opening } from './start/measureOpening.ts';
import { searchHistory } from './start/searchHistory.ts';
import { startElectronMain, startNothing, startServe, type Started } from './start/startProcess.ts';

const rounds = 7;
const calls = 100_000;
/** A start by a Node that does nothing, in time of processor; ms of processor of the page's longest task. */
const most = { engine: 20, task: 100 };

interface Row extends Record<string, string | number> {
  what: string;
}

/**
 * From nothing to a window in which a tool can be clicked and answers, part by part: the engine from the start of its process
 * to its address, then the page from the request to the clicked tool. The best of several turns, each after its floor: on a
 * machine that does other things, the best is what the work itself takes.
 */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const empty = mkdtempSync(join(tmpdir(), 'toolwire-start-'));
  const full = mkdtempSync(join(tmpdir(), 'toolwire-start-full-'));
  await fillDataDir(full, calls);
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  const rows: Row[] = [];
  try {
    for (const [name, dataDir] of [
      ['nothing kept yet', empty],
      [`${calls.toLocaleString('en')} calls, 1,000 tools`, full],
    ] as const) {
      rows.push(await engineRow(`\`toolwire serve\` listens, ${name}`, () => startServe(dataDir)));
      rows.push(
        await engineRow(`Electron’s main bundle, without Electron, listens, ${name}`, () => startElectronMain(dataDir)),
      );
      rows.push(...(await windowRows(browser, dataDir, name)));
    }
    rows.push({
      what: `${calls.toLocaleString('en')} calls searched in the window`,
      ...(await searched(browser, full)),
    });
  } finally {
    await browser.close();
    rmSync(empty, { recursive: true, force: true });
    rmSync(full, { recursive: true, force: true });
  }
  return {
    title: 'From the start to a usable window',
    note:
      'A window is usable once a tool of Discovery was clicked and shows its methods. Cold: a browser that has never seen the ' +
      'page; warm: the fourth time, in the same browser. The floor of a process is `node -e 0`, that of the window a page of one ' +
      `line from the same server. The best of ${rounds} turns; judged by time of processor, since a busy machine stretches the clock’s: the engine’s start by its floor, the longest task of the page’s thread (of the same turn) by ${most.task} ms.`,
    rows,
    pass: rows.every(
      (row) =>
        (typeof row['ratio'] !== 'number' || row['ratio'] <= most.engine) &&
        (typeof row['longest task'] !== 'number' || row['longest task'] <= most.task),
    ),
  };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

async function engineRow(what: string, start: () => Promise<Started>): Promise<Row> {
  const least = { ms: Infinity, floor: Infinity, processor: Infinity, floorProcessor: Infinity };
  for (let round = 0; round < rounds; round++) {
    const nothing = await startNothing();
    const started = await start();
    await started.stop();
    least.ms = Math.min(least.ms, started.ms);
    least.floor = Math.min(least.floor, nothing.ms);
    least.processor = Math.min(least.processor, started.processorMs);
    least.floorProcessor = Math.min(least.floorProcessor, nothing.processorMs);
  }
  return {
    what,
    ms: tenth(least.ms),
    floor: tenth(least.floor),
    'ms of processor': tenth(least.processor),
    'floor, of processor': tenth(least.floorProcessor),
    ratio: tenth(least.processor / least.floorProcessor),
    'at most': most.engine,
  };
}

/** The window of one engine, opened by browsers that never saw it, and again by one that did. */
async function windowRows(browser: Browser, dataDir: string, name: string): Promise<Row[]> {
  const openings: Record<'cold' | 'warm', Opening[]> = { cold: [], warm: [] };
  for (let round = 0; round < rounds; round++) {
    // A link works once.
    const { link, stop } = await startServe(dataDir);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    const page = await context.newPage();
    openings.cold.push(await measureOpening(page, link));
    const address = new URL('/', link).href;
    for (let again = 0; again < 2; again++) await measureOpening(page, address);
    openings.warm.push(await measureOpening(page, address));
    await context.close();
    await stop();
  }
  return Object.entries(openings).map(([how, all]) => {
    const best = all.reduce((least, one) => (one.usable < least.usable ? one : least));
    const floor = Math.min(...all.map((one) => one.floor));
    const what = `the window is usable, ${how}, ${name}`;
    return { what, ms: tenth(best.usable), floor: tenth(floor), 'longest task': best.longestTask };
  });
}

async function searched(browser: Browser, dataDir: string): Promise<{ 'longest task': number }> {
  const { link, stop } = await startServe(dataDir);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const longest = await searchHistory(page, link);
  await page.close();
  await stop();
  return { 'longest task': longest };
}
