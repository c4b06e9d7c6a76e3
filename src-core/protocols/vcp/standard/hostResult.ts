import { hostResultMarkers } from '../markers.ts';
import type { Machine } from './machine.ts';

/** The opening of another host's result block at `at`, as written or with a full-width colon. */
export function readHostResult(machine: Machine, at: number): (typeof hostResultMarkers)[number] | 'more' | undefined {
  const { window } = machine;
  const { text } = window;
  const index = at - window.base;
  if (index + 1 < text.length && text.charCodeAt(index + 1) !== 0x5b) return undefined;
  for (const host of hostResultMarkers) {
    const head = host.open.slice(0, -1);
    const there = text.slice(index, index + host.open.length);
    if (there.startsWith(head) && (there.endsWith(':') || there.endsWith('：'))) return host;
    if (there.length < host.open.length && !machine.atEnd && head.startsWith(there.slice(0, head.length)))
      return 'more';
  }
  return undefined;
}
