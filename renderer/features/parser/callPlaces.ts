import type { Reading } from './useParse.ts';

/** The block of a call in its text, and what is called there. */
export interface CallPlace {
  start: number;
  end: number;
  /** Name and arguments as written, and which call of the block it is: whatever becomes of the tool. */
  what: string;
  /** What is called, and which of the equal calls of the text it is: it outlives changes to the text before it. */
  key: string;
}

export function callPlaces({ calls, requests }: Pick<Reading, 'calls' | 'requests'>): CallPlace[] {
  const counts = new Map<string, number>();
  const firsts = new Map<number, number>();
  return calls.map(({ request, toolName, command }, index) => {
    const { range: { start, end } = { start: 0, end: 0 }, rawArgs } = requests[request] ?? {};
    const first = firsts.get(request) ?? index;
    firsts.set(request, first);
    const called = JSON.stringify([toolName, command, rawArgs]);
    const count = (counts.get(called) ?? 0) + 1;
    counts.set(called, count);
    return { start, end, what: `${index - first} ${called}`, key: `${called}#${count}` };
  });
}
