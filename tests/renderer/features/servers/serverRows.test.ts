import { expect, it } from 'vitest';

import { serverRows, type ServerSort } from '../../../../renderer/features/servers/list/serverRows.ts';
import { groupOf } from '../../../../renderer/features/servers/serverState.ts';
import type { ServerRow } from '../../../../src-core/contract/types.ts';

const server = (name: string, of: Partial<ServerRow> = {}): ServerRow => ({
  id: name,
  name,
  type: 'stdio',
  place: name,
  state: 'ready',
  since: 0,
  revision: '2025-11-25',
  counts: { tools: 0, resources: 0, prompts: 0 },
  changedTools: 0,
  consumers: [],
  registryId: name,
  ...of,
});
const servers = [
  server('b', { counts: { tools: 2, resources: 0, prompts: 0 } }),
  server('c', { counts: { tools: 10, resources: 0, prompts: 0 }, type: 'http' }),
  server('a', { counts: { tools: 2, resources: 0, prompts: 0 } }),
  server('z', { state: 'failing' }),
];
delete servers[3]?.revision;
const times: Record<string, number> = { a: 100, c: 9 };

function order(sort: ServerSort): string {
  const rows = serverRows(servers, { words: [], group: null, sort, medianOf: ({ id }) => times[id] });
  return rows.map((row) => ('kind' in row ? '|' : row.name)).join('');
}

it('lists a server that starts again after it failed among those that need attention', () => {
  const failure = { text: 'It writes on stdout.', stderr: [] };
  const starting = [server('new', { state: 'starting' }), server('again', { state: 'starting', failure })];
  expect(starting.map(groupOf)).toEqual(['running', 'attention']);
});

it('sorts within the groups, by numbers as numbers, then by name; what is unknown comes last', () => {
  expect(order('server')).toBe('|z|abc');
  expect(order('-server')).toBe('|z|cba');
  expect(order('-tools')).toBe('|z|cab');
  expect(order('via')).toBe('|z|cab');
  expect(order('p50')).toBe('|z|cab');
  expect(order('-p50')).toBe('|z|acb');
});

it('lists a server whose definitions have changed among those that need attention', () => {
  expect(groupOf(server('x', { changedTools: 1 }))).toBe('attention');
});
