import type { CDPSession, Page } from 'playwright-core';

/** The longest task of the page's thread while something is done. */
export type Row = {
  what: string;
  'longest task, ms of processor': number;
  /** Of these the browser's own, to collect garbage: mostly nothing, but a busy machine leaves all of it to one task. */
  'of them collecting': number;
  'longest task, ms': number;
};
/** Does it, and says how long the longest task was. */
export type Watch = (what: string, act: () => Promise<unknown>) => Promise<Row>;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Follows the tasks of the page's thread by the browser's own trace: it alone tells processor time from waiting. */
export async function watchTasks(page: Page): Promise<Watch> {
  const cdp = await page.context().newCDPSession(page);
  return async (what, act) => {
    const events: TraceEvent[] = [];
    const collect = ({ value }: { value: unknown[] }): void => {
      events.push(...(value as TraceEvent[]));
    };
    cdp.on('Tracing.dataCollected', collect);
    await cdp.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-v8.gc'] },
    });
    await act();
    await endTrace(cdp);
    cdp.off('Tracing.dataCollected', collect);
    const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
    const pages = new Set(named.map(({ pid, tid }) => `${pid}:${tid}`));
    const done = events.filter(({ ph, pid, tid }) => ph === 'X' && pages.has(`${pid}:${tid}`));
    const tasks = done.filter(({ name }) => /RunTask$/.test(name));
    const longest = tasks.reduce<TraceEvent | undefined>(
      (most, task) => ((task.tdur ?? 0) > (most?.tdur ?? -1) ? task : most),
      undefined,
    );
    return {
      what,
      'longest task, ms of processor': ms(longest?.tdur ?? 0),
      'of them collecting': longest === undefined ? 0 : ms(collecting(longest, done)),
      'longest task, ms': ms(Math.max(0, ...tasks.map(({ dur }) => dur ?? 0))),
    };
  };
}

const ms = (microseconds: number): number => Math.round(microseconds / 1_000);

/** Microseconds of processor that a task spent on collecting garbage: the events of it, without those within another. */
function collecting(task: TraceEvent, done: readonly TraceEvent[]): number {
  const end = task.ts + (task.dur ?? 0);
  const within = done.filter(({ name, pid, ts }) => /GC/.test(name) && pid === task.pid && ts >= task.ts && ts <= end);
  within.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let [total, until] = [0, 0];
  for (const { ts, dur = 0, tdur = 0 } of within) {
    if (ts < until) continue;
    total += tdur;
    until = ts + dur;
  }
  return total;
}

/** Jumps all over a list, then goes through it in steps. */
export async function scroll(page: Page, list: string): Promise<void> {
  await page.locator(list).evaluate(async (element) => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let jump = 0; jump < 60; jump++) {
      element.scrollTop = (element.scrollHeight * ((jump * 37) % 60)) / 60;
      await frame();
    }
    for (let step = 0; step < 120; step++) {
      element.scrollTop += 300;
      await frame();
    }
  });
}

async function endTrace(cdp: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()));
  await cdp.send('Tracing.end');
  await complete;
}
