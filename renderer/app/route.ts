import { panes } from './panes.ts';
import type { PaneId } from '../window/navigation.ts';

/** A place in the window: a pane, and what is chosen in it. */
export interface Route {
  pane: PaneId;
  /**
   * Discovery: the tool's id, and the method's name if one is chosen. Executor: `toolId_methodName`. Devices: the
   * device's id, or `capture` and the capture's. Chat, realtime: the conversation's id. Settings: the section, unless it is the first. Else nothing.
   */
  chosen: readonly string[];
  /** What the other half of a split window shows. */
  beside?: { side: 'left' | 'right'; pane: PaneId; chosen: readonly string[] };
}

/** Maximum characters of an address, and of one of its decoded parts. */
const maxAddress = 4_096;
const maxPart = 1_024;
/** Maximum number of parts after a pane. */
const mostParts: Partial<Record<PaneId, number>> = {
  discovery: 2,
  executor: 1,
  devices: 2,
  chat: 1,
  realtime: 1,
  settings: 1,
};

/**
 * Parses `#/devices/ID`, or `#/devices/ID?left=executor/NAME` in a split window. Returns undefined if the hash is
 * invalid. Links are untrusted, so parsing is strict and a link only shows something. It never runs anything.
 */
export function readRoute(hash: string): Route | undefined {
  if (hash.length > maxAddress || !hash.startsWith('#/')) return undefined;
  const [front = '', other, more] = hash.slice(2).split('?');
  const place = readPlace(front);
  if (place === undefined || more !== undefined) return undefined;
  if (other === undefined) return place;
  const [side, path = ''] = other.split('=', 2);
  const beside = readPlace(path);
  if ((side !== 'left' && side !== 'right') || beside === undefined || beside.pane === place.pane) return undefined;
  return { ...place, beside: { side, ...beside } };
}

function readPlace(path: string): Pick<Route, 'pane' | 'chosen'> | undefined {
  const [name, ...rest] = path.split('/');
  const pane = panes.find(({ id }) => id === name)?.id;
  if (pane === undefined || rest.length > (mostParts[pane] ?? 0)) return undefined;
  const chosen = rest.map(decoded);
  if (!chosen.every((part) => part !== undefined)) return undefined;
  if (pane === 'devices' && chosen.length === 2 && chosen[0] !== 'capture') return undefined;
  return { pane, chosen };
}

/** Formats a route as it appears in the address, such as `#/devices/ID`. */
export function writeRoute({ beside, ...front }: Route): string {
  return `#/${writePlace(front)}${beside ? `?${beside.side}=${writePlace(beside)}` : ''}`;
}

function writePlace({ pane, chosen }: Pick<Route, 'pane' | 'chosen'>): string {
  return [pane, ...chosen].map(encodeURIComponent).join('/');
}

function decoded(part: string): string | undefined {
  let text: string;
  try {
    text = decodeURIComponent(part);
  } catch {
    return undefined; // invalid percent-encoding
  }
  return text !== '' && text.length <= maxPart && !/\p{C}/u.test(text) ? text : undefined;
}
