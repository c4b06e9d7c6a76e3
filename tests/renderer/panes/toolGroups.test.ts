import { expect, it } from 'vitest';

import { columnsIn, gridRows, inviteHeight } from '../../../renderer/panes/discovery/gridRows.ts';
import { toolGroups } from '../../../renderer/panes/discovery/toolGroups.ts';
import type { MethodView, ToolSourceKind, ToolView } from '../../../src-core/api/types.ts';

const method = (name: string, about: Partial<MethodView> = {}): MethodView => ({
  name,
  description: '',
  agentCallable: true,
  inputSchema: { type: 'object' },
  parameters: [],
  qualifiedName: `tool_${name}`,
  ...about,
});
const tool = (id: string, kind: ToolSourceKind, methods: MethodView[]): ToolView => ({
  id,
  name: id,
  source: { kind, id, label: id },
  enabled: true,
  methods,
});
const volume = { name: 'volume', type: 'integer', required: true, description: 'Loudness in percent' };
const speaker = tool('speaker', 'device', [method('set', { parameters: [volume] }), method('status')]);
const clock = tool('clock', 'builtin', [method('get_time', { description: 'The time of day' })]);
const lamps = tool('lamp 10', 'module', [method('on'), method('off'), method('colour')]);
const lamp = tool('lamp 2', 'module', [method('on')]);
const all = [lamps, clock, lamp, speaker];

const grouped = (options: Partial<Parameters<typeof toolGroups>[0]> = {}) =>
  toolGroups({ tools: all, gone: [], words: [], kind: null, order: 'name', language: 'en', ...options });
const ids = (groups: ReturnType<typeof grouped>): string[] =>
  groups.flatMap((group) => group.entries.map((entry) => entry.tool.id));

it('groups by source, what comes and goes first, each group by name as people count', () => {
  expect(grouped().map((group) => group.kind)).toEqual(['device', 'builtin', 'module']);
  expect(ids(grouped())).toEqual(['speaker', 'clock', 'lamp 2', 'lamp 10']);
  expect(ids(grouped({ order: 'methods' }))).toEqual(['speaker', 'clock', 'lamp 10', 'lamp 2']);
  expect(ids(grouped({ kind: 'module' }))).toEqual(['lamp 2', 'lamp 10']);
});

it.each([
  ['a name', ['clock'], ['clock']],
  ['a description', ['time', 'day'], ['clock']],
  ['a parameter', ['volume'], ['speaker']],
  ['a parameter’s description', ['loudness'], ['speaker']],
  ['tool and method together', ['lamp', 'colour'], ['lamp 10']],
  ['nothing', ['nowhere'], []],
])('finds by %s', (_, words, found) => {
  expect(ids(grouped({ words }))).toEqual(found);
});

it('shows of a found tool the methods that answer, all of them where the tool itself does', () => {
  const [entry] = grouped({ words: ['volume'] })[0]?.entries ?? [];
  expect(entry?.methods.map(({ name }) => name)).toEqual(['set']);
  expect(grouped({ words: ['speaker'] })[0]?.entries[0]?.methods).toHaveLength(2);
});

it('keeps a tool that left in its place, marked', () => {
  const groups = grouped({ tools: [clock, lamp, lamps], gone: [speaker] });
  expect(ids(groups)).toEqual(['speaker', 'clock', 'lamp 2', 'lamp 10']);
  expect(groups[0]?.entries[0]?.gone).toBe(true);
});

it('lays cards out in lines, as many as fit, and the invitation as high as a device’s card', () => {
  expect([300, 651, 652, 984].map(columnsIn)).toEqual([1, 1, 2, 3]);
  const four = [speaker, { ...speaker, id: 'b' }, { ...speaker, id: 'c' }].map((entry) => ({
    tool: entry,
    methods: entry.methods,
    gone: false,
  }));
  const rows = gridRows([{ kind: 'device', entries: four }], 2);
  expect(rows.map((row) => row.kind)).toEqual(['title', 'cards', 'cards']);
  expect(rows.map((row) => row.height)).toEqual([44, 140, 128]);
  const device = gridRows([{ kind: 'device', entries: [{ tool: lamps, methods: lamps.methods, gone: false }] }], 2);
  expect(device[1]?.height).toBe(inviteHeight);
});
