import { refusedBlocks } from '../../ui/editor/vcp/refusedBlocks.ts';
import { problemsOf, runsAsWritten } from './problemsOf.ts';
import { isOpenEnded } from './stillComing.ts';
import type { Reading } from './useParse.ts';

/** A place in a text at which it is known of a part that looks like a call whether it runs. */
export interface ReplayStop {
  at: number;
  runs: boolean;
}

/** The stops of a text, in its order. */
export function replayStops(reading: Reading, tools: Parameters<typeof runsAsWritten>[1]): ReplayStop[] {
  const markers = reading.regions.filter(({ kind }) => kind === 'marker');
  const calls = reading.calls.map((call) => {
    return { at: reading.requests[call.request]?.range.end ?? 0, runs: runsAsWritten(call, tools) };
  });
  const refused = refusedBlocks(reading, problemsOf(reading)).map(({ end, problems }) => {
    // It may still get its end until the next block begins.
    const isOpen = problems.some(({ code }) => isOpenEnded(code));
    const at = isOpen ? (markers.find(({ start }) => start >= end)?.end ?? reading.text.length) : end;
    return { at, runs: false };
  });
  return [...calls, ...refused].sort((a, b) => a.at - b.at);
}
