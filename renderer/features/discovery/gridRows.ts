import type { ToolSourceKind } from '../../../src-core/contract/types.ts';
import { cardMethods, type CardMethods, type ToolEntry, type ToolGroup } from './toolGroups.ts';

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

/** Lines that a card has for the error of its tool, as `.trouble` of a card has. */
const errorLines = 5;

/** px of the invitation: as high as the card of a device, so that nothing moves when the first one comes. */
export const inviteHeight = cardFrame + (cardMethods + 1) * lineHeight;

/** Lines under the name: the tool that it is like, or methods and what counts the rest of them, or the error of a tool without methods. */
function cardLines({ tool, methods }: ToolEntry, content: CardMethods | undefined): number {
  if (content?.like !== undefined) return 1;
  return tool.error !== undefined && methods.length === 0 ? errorLines : Math.min(cardMethods, methods.length) + 1;
}

/** How many cards of at least 320 px stand side by side in a width. */
export function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + gap) / (minimumCard + gap)));
}

/** How the tools of a group are laid out: cards side by side with these contents, or a row each of `rowHeight` px. */
export type GridLayout = { columns: number; contents: ReadonlyMap<string, CardMethods> } | { rowHeight: number };

/** Lays groups out in lines. The cards of a line are as high as the highest of them. */
export function gridRows(groups: readonly ToolGroup[], layout: GridLayout): GridRow[] {
  const columns = 'columns' in layout ? layout.columns : 1;
  const heightOf = (line: readonly ToolEntry[]): number =>
    'rowHeight' in layout
      ? layout.rowHeight
      : cardFrame + lineHeight * Math.max(...line.map((entry) => cardLines(entry, layout.contents.get(entry.tool.id))));
  const between = 'rowHeight' in layout ? 0 : gap;
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
      const cardHeight = heightOf(line);
      const height = at + columns < entries.length ? cardHeight + between : cardHeight;
      rows.push({ key: `cards:${line[0]?.tool.id ?? ''}`, kind: 'cards', entries: line, height, cardHeight });
    }
  }
  return rows;
}
