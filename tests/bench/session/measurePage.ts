import type { CDPSession } from 'playwright-core';

/** What a page holds after a full collection; the heap in MB. */
export interface PageMemory {
  heap: number;
  /** Nodes of the document, and those that something still refers to. */
  nodes: number;
  listeners: number;
}

/** Collects the page's garbage and measures what is left. */
export async function measurePage(cdp: CDPSession): Promise<PageMemory> {
  // What the first collection finalizes, the second lets go.
  for (let times = 0; times < 2; times++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  return { heap: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
