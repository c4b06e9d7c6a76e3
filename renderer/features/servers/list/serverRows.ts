import type { ListHeading } from '../../../ui/MasterList.vue';
import { t } from '../../../i18n/index.ts';
import { groupOf, serverGroups, type ServerGroup } from '../serverState.ts';
import type { ServerRow } from '../../../../src-core/contract/types.ts';

export type ListedServer = ServerRow | ListHeading;

/** The servers in their groups, those that need attention first, by name; only those that hold every word of the query. */
export function serverRows(
  servers: readonly ServerRow[],
  { words, group }: { words: readonly string[]; group: ServerGroup | null },
): ListedServer[] {
  const found = servers.filter(({ name, place, type }) => {
    const text = `${name}\n${place}\n${type}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return serverGroups
    .filter((each) => group === null || each === group)
    .flatMap((each) => {
      const members = found.filter((server) => groupOf(server) === each);
      members.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
      if (members.length === 0) return [];
      const heading = { kind: 'heading' as const, key: `group:${each}`, title: t(`servers.group.${each}`) };
      return [{ ...heading, count: members.length }, ...members];
    });
}
