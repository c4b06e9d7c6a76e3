import type { ListRow } from './listRows.ts';

/** px of a row of the list, border included; a card is cut to it, so that none has to be measured. */
export function cardHeight(row: ListRow): number {
  if (row.kind === 'heading') return 30;
  if (row.kind === 'capture') return 82;
  switch (row.device.state) {
    case 'approval':
      return 162;
    case 'announced':
    case 'closed':
    case 'failed':
      return 122;
    default:
      return 128;
  }
}
