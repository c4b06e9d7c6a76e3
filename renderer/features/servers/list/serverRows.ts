import type { ListHeading } from '../../../ui/MasterList.vue';
import type { SortOrder } from '../../../ui/sortOrder.ts';
import { t } from '../../../i18n/index.ts';
import { groupOf, serverGroups, type ServerGroup } from '../serverState.ts';
import type { CaptureInfo, ServerRow } from '../../../../src-core/contract/types.ts';
import { shownState } from '../../../../src-core/contract/stateWords.ts';

/** An imported log of a server. */
export interface ListedCapture {
  kind: 'capture';
  /** `capture:` and its id. */
  id: string;
  capture: CaptureInfo;
}

/** The columns of the list, in their order. */
export const sortColumns = ['server', 'state', 'via', 'revision', 'tools', 'resources', 'prompts', 'p50'] as const;

export type ServerColumn = (typeof sortColumns)[number];
export type ServerSort = SortOrder<ServerColumn>;

export type ListedServer = ServerRow | ListedCapture | ListHeading;

/**
 * The servers in their groups, those that need attention first, each group sorted, then the captures; only those that hold every word of the
 * query. A group has no captures.
 */
export function serverRows(
  servers: readonly ServerRow[],
  {
    words,
    group,
    captures = [],
    sort,
    medianOf,
  }: {
    words: readonly string[];
    group: ServerGroup | null;
    captures?: readonly CaptureInfo[];
    sort: ServerSort;
    /** ms of a call of the server, if known. */
    medianOf: (server: ServerRow) => number | undefined;
  },
): ListedServer[] {
  const holds = (...texts: string[]): boolean => {
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = servers.filter(({ name, place, type }) => holds(name, place, type));
  const column = sort.replace('-', '') as ServerColumn;
  const compare = (a: ServerRow, b: ServerRow): number => {
    const [one, other] = [valueOf(a, column, medianOf), valueOf(b, column, medianOf)];
    // What is unknown comes last in both directions.
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    const order =
      typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
    return sort === column ? order : -order;
  };
  const rows = serverGroups
    .filter((each) => group === null || each === group)
    .flatMap((each) => {
      const members = found.filter((server) => groupOf(server) === each);
      members.sort((a, b) => compare(a, b) || a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
      if (members.length === 0) return [];
      const heading = { kind: 'heading' as const, key: `group:${each}`, title: t(`servers.group.${each}`) };
      return [{ ...heading, count: members.length }, ...members];
    });
  const imported = group === null ? captures.filter(({ name, device }) => holds(name, device.name)) : [];
  if (imported.length === 0) return rows;
  const title = t('servers.captures');
  const heading = { kind: 'heading' as const, key: 'group:captures', title, count: imported.length };
  const captured = imported.map((capture) => ({ kind: 'capture' as const, id: `capture:${capture.id}`, capture }));
  return [...rows, heading, ...captured];
}

function valueOf(
  server: ServerRow,
  column: ServerColumn,
  medianOf: (server: ServerRow) => number | undefined,
): string | number | undefined {
  if (column === 'server') return server.name;
  if (column === 'state') return t(`servers.state.${shownState(server)}`);
  if (column === 'via') return t(`servers.type.${server.type}`);
  if (column === 'p50') return medianOf(server);
  // Counts are unknown until the lists have been read once.
  return server.revision && (column === 'revision' ? server.revision : server.counts[column]);
}
