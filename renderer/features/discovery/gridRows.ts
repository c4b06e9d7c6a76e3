import type { ToolSourceKind } from '../../../src-core/contract/types.ts';
import type { ToolEntry, ToolGroup } from './toolGroups.ts';

/** A line of the grid: a group's title, or cards side by side. `height` is px with the gap under it, `cardHeight` without. */
export type GridRow =
  | { key: string; kind: 'title'; source: ToolSourceKind | null; count: number; height: number }
  | { key: string; kind: 'cards'; entries: ToolEntry[]; height: number; cardHeight: number };

const titleHeight = 44;
const gap = 12;
const minimumCard = 320;
/** Borders, padding, name and id, and the space above the methods. */
const cardFrame = 68;
const lineHeight = 20;

/** Methods a card lists before it counts the rest. */
export const cardMethods = 3;

/** Lines that a card has for the error of its tool, as `.trouble` of a card has. */
const errorLines = 3;

/** px of the invitation: as high as the card of a device, so that nothing moves when the first one comes. */
export const inviteHeight = cardFrame + (cardMethods + 1) * lineHeight;

/** Lines under the name: methods and what counts the rest of them, or the error of a tool without methods. */
function cardLines({ tool, methods }: ToolEntry): number {
  return tool.error !== undefined && methods.length === 0 ? errorLines : Math.min(cardMethods, methods.length) + 1;
}

/** How many cards of at least 320 px stand side by side in a width. */
export function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + gap) / (minimumCard + gap)));
}

/** Lays groups out in lines of so many columns. The cards of a line are as high as the highest of them. */
export function gridRows(groups: readonly ToolGroup[], columns: number): GridRow[] {
  const rows: GridRow[] = [];
  for (const { kind, entries } of groups) {
    rows.push({
      key: `title:${kind ?? 'all'}`,
      kind: 'title',
      source: kind,
      count: entries.length,
      height: titleHeight,
    });
    for (let at = 0; at < entries.length; at += columns) {
      const line = entries.slice(at, at + columns);
      const lines = Math.max(...line.map(cardLines));
      const cardHeight = cardFrame + lines * lineHeight;
      const height = at + columns < entries.length ? cardHeight + gap : cardHeight;
      rows.push({ key: `cards:${line[0]?.tool.id ?? ''}`, kind: 'cards', entries: line, height, cardHeight });
    }
  }
  return rows;
}
