import type { VcpReading } from './vcpContext.ts';

/** A request block in the text, and whether it is a call. */
export interface BlockSpan {
  start: number;
  end: number;
  /** Index into `requests`; absent where the block is not executed. */
  request?: number;
}

/** The blocks of a reading, in order: the stretch of all regions that name the same block. */
export function blockSpans({ regions, requests }: Pick<VcpReading, 'regions' | 'requests'>): BlockSpan[] {
  const spans = new Map<number, BlockSpan>();
  for (const { block, start, end } of regions) {
    if (block === undefined) continue;
    const span = spans.get(block);
    if (span === undefined) spans.set(block, { start, end });
    else span.end = end;
  }
  const byStart = new Map(requests.map((request, index) => [request.range.start, index]));
  return [...spans.values()].map((span) => {
    const request = byStart.get(span.start);
    return request === undefined ? span : { ...span, request };
  });
}
