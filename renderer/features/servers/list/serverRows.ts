import type { ListHeading } from '../../../ui/MasterList.vue';
import { t } from '../../../i18n/index.ts';
import { groupOf, serverGroups, type ServerGroup } from '../serverState.ts';
import type { CaptureInfo, ServerRow } from '../../../../src-core/contract/types.ts';

/** An imported log of a server. */
export interface ListedCapture {
  kind: 'capture';
  /** `capture:` and its id. */
  id: string;
  capture: CaptureInfo;
}

export type ListedServer = ServerRow | ListedCapture | ListHeading;

/**
 * The servers in their groups, those that need attention first, by name, then the captures; only those that hold every word of the
 * query. A group has no captures.
 */
export function serverRows(
  servers: readonly ServerRow[],
  {
    words,
    group,
    captures = [],
  }: { words: readonly string[]; group: ServerGroup | null; captures?: readonly CaptureInfo[] },
): ListedServer[] {
  const holds = (...texts: string[]): boolean => {
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = servers.filter(({ name, place, type }) => holds(name, place, type));
  const rows = serverGroups
    .filter((each) => group === null || each === group)
    .flatMap((each) => {
      const members = found.filter((server) => groupOf(server) === each);
      members.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
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
