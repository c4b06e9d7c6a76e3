import type { CDPSession, Page } from 'playwright-core';

/** The longest task of the page's thread while something is done. */
export type Row = { what: string; 'longest task, ms of processor': number; 'longest task, ms': number };
/** Does it, and says how long the longest task was. */
export type Watch = (what: string, act: () => Promise<unknown>) => Promise<Row>;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
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
      traceConfig: { includedCategories: ['toplevel'] },
    });
    await act();
    await endTrace(cdp);
    cdp.off('Tracing.dataCollected', collect);
    const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
    const pages = new Set(named.map(({ pid, tid }) => `${pid}:${tid}`));
    const tasks = events.filter(
      ({ ph, name, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && pages.has(`${pid}:${tid}`),
    );
    const longest = (of: (task: TraceEvent) => number | undefined): number =>
      Math.round(Math.max(0, ...tasks.map((task) => of(task) ?? 0)) / 1_000);
    return {
      what,
      'longest task, ms of processor': longest(({ tdur }) => tdur),
      'longest task, ms': longest(({ dur }) => dur),
    };
  };
}

async function endTrace(cdp: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()));
  await cdp.send('Tracing.end');
  await complete;
}
