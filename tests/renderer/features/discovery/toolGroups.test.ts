import { expect, it } from 'vitest';

import { columnsIn, gridRows, inviteHeight } from '../../../../renderer/features/discovery/gridRows.ts';
import {
  cardContents,
  findTools,
  keptFromModels,
  toolGroups,
  type Audience,
  type ToolEntry,
} from '../../../../renderer/features/discovery/toolGroups.ts';
import type { MethodView, ToolSourceKind, ToolView } from '../../../../src-core/contract/types.ts';

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

type Options = Partial<Parameters<typeof findTools>[0] & Parameters<typeof toolGroups>[1]>;
const grouped = ({ kind = null, order = 'source', ...options }: Options = {}) =>
  toolGroups(
    findTools({ tools: all, gone: [], words: [], audience: 'all', node: 'all', protocol: 'vcp', ...options }),
    {
      kind,
      order,
      language: 'en',
    },
  );
const ids = (groups: ReturnType<typeof grouped>): string[] =>
  groups.flatMap((group) => group.entries.map((entry) => entry.tool.id));

it('counts a method that only hosts and devices are offered as not callable by models', () => {
  const keptOf = (...consumers: MethodView['consumers'] & {}) => {
    const only = method('add', { consumers });
    return keptFromModels(tool('lab', 'mcp', [only]), only, 'json');
  };
  expect([keptOf('host'), keptOf('host', 'device'), keptOf('host', 'chat')]).toEqual(['source', 'source', undefined]);
});

it('groups by source, what the user has added before what is built in, each group by name as people count', () => {
  const others = [tool('desk', 'mcp', [method('pay')]), tool('client', 'gateway', [method('ask')])];
  expect(grouped({ tools: [...others, ...all] }).map((group) => group.kind)).toEqual([
    'device',
    'mcp',
    'module',
    'gateway',
    'builtin',
  ]);
  expect(ids(grouped())).toEqual(['speaker', 'lamp 2', 'lamp 10', 'clock']);
  expect(ids(grouped({ kind: 'module' }))).toEqual(['lamp 2', 'lamp 10']);
});

it('sorts by name or by number of methods over all sources', () => {
  expect(grouped({ order: 'name' }).map((group) => group.kind)).toEqual([null]);
  expect(ids(grouped({ order: 'name' }))).toEqual(['clock', 'lamp 2', 'lamp 10', 'speaker']);
  expect(ids(grouped({ order: 'methods' }))).toEqual(['lamp 10', 'speaker', 'clock', 'lamp 2']);
});

it('lists what models may call, or the rest', () => {
  const byHand = { ...speaker, methods: [method('reset', { agentCallable: false }), method('status')] };
  const tools = [byHand, { ...clock, enabled: false }, lamp];
  const methodsOf = (audience: Audience): string[] =>
    grouped({ tools, audience }).flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.methods.map(({ name }) => `${entry.tool.id} ${name}`)),
    );
  expect(methodsOf('models')).toEqual(['speaker status', 'lamp 2 on']);
  expect(methodsOf('notModels')).toEqual(['speaker reset', 'clock get_time']);
  expect(methodsOf('all')).toHaveLength(4);
});

it('lists the tools of one node of a cluster', () => {
  const remote = { ...speaker, id: 'far', source: { ...speaker.source, node: 'lab-2' } };
  const tools = [speaker, remote, clock];
  expect(ids(grouped({ tools, node: '@lab-2' }))).toEqual(['far']);
  expect(ids(grouped({ tools, node: 'own' }))).toEqual(['speaker', 'clock']);
  expect(ids(grouped({ tools, gone: [remote], node: '@lab-1' }))).toEqual([]);
});

it('counts a method whose required parameter VCP cannot pass among the others, while VCP is the protocol', () => {
  const tools = [tool('weather', 'module', [method('read', { uncarried: ['城市'] }), method('list')])];
  const models = (protocol: string): string[] =>
    grouped({ tools, audience: 'models', protocol }).flatMap(({ entries }) =>
      entries.flatMap(({ methods }) => methods.map(({ name }) => name)),
    );
  expect(models('vcp')).toEqual(['list']);
  expect(models('json')).toEqual(['read', 'list']);
});

it('keeps the order of a list whose filter leaves out tools without methods', () => {
  const byHand = [method('reset', { agentCallable: false })];
  const broken = { ...tool('a broken one', 'module', []), error: 'Line 3 has a syntax error.' };
  const tools = [broken, tool('z module', 'module', byHand), tool('m board', 'device', byHand)];
  for (const audience of ['notModels', 'models'] as const)
    expect(ids(grouped({ tools, audience }))).not.toContain(broken.id);
  expect(ids(grouped({ tools, audience: 'notModels' }))).toEqual(['m board', 'z module']);
  expect(ids(grouped({ tools, audience: 'all', words: ['broken'] }))).toEqual([broken.id]);
});

it('puts better matches first: groups, tools and methods', () => {
  // A tool that is only described so comes after those that are called so, whatever its source.
  const described = { ...speaker, description: 'Lamp on a stand' };
  expect(ids(grouped({ tools: [described, lamp], words: ['lamp', 'on'] }))).toEqual(['lamp 2', 'speaker']);
  const both = tool('both', 'module', [
    method('time_zone'),
    method('zone', { description: 'time zone' }),
    method('time'),
  ]);
  const [entry] = grouped({ tools: [both], words: ['time'] })[0]?.entries ?? [];
  expect(entry?.methods.map(({ name }) => name)).toEqual(['time', 'time_zone', 'zone']);
});

it('puts the device first that is called so, as the palette does, and what asks first after its equals', () => {
  const volumeOf = (id: string, name: string, about: Partial<MethodView> = {}): ToolView => ({
    ...tool(id, 'device', [method('set_volume', about)]),
    name,
    source: { kind: 'device', id, label: name },
  });
  const boards = [volumeOf('esp-2a', 'Board 1'), volumeOf('esp-b0', 'Board 2'), volumeOf('esp-c0', 'Board 12')];
  expect(ids(grouped({ tools: boards, words: ['board', '2', 'volume'] }))[0]).toBe('esp-b0');
  const asking = volumeOf('esp-a', 'A board', { asksFirst: { patterns: ['set_*'] } });
  expect(ids(grouped({ tools: [asking, ...boards], words: ['volume'] })).at(-1)).toBe('esp-a');
});

it.each([
  ['a name', ['clock'], ['clock']],
  ['a description', ['time', 'day'], ['clock']],
  ['a parameter', ['volume'], ['speaker']],
  ['a parameter’s description', ['loudness'], ['speaker']],
  ['a full name', ['tool_get_time'], ['clock']],
  ['tool and method together', ['lamp', 'colour'], ['lamp 10']],
  ['nothing', ['nowhere'], []],
])('finds by %s', (_, words, found) => {
  expect(ids(grouped({ words }))).toEqual(found);
});

it('shows of a found tool the methods that answer, all of them if the tool itself does', () => {
  const [entry] = grouped({ words: ['volume'] })[0]?.entries ?? [];
  expect(entry?.methods.map(({ name }) => name)).toEqual(['set']);
  expect(grouped({ words: ['speaker'] })[0]?.entries[0]?.methods).toHaveLength(2);
});

it('keeps a tool that left in its place, marked', () => {
  const groups = grouped({ tools: [clock, lamp, lamps], gone: [speaker] });
  expect(ids(groups)).toEqual(['speaker', 'lamp 2', 'lamp 10', 'clock']);
  expect(groups[0]?.entries[0]?.gone).toBe(true);
});

it('lays cards out in lines, as many as fit, and the invitation as high as a device’s card', () => {
  expect([300, 651, 652, 984].map(columnsIn)).toEqual([1, 1, 2, 3]);
  const four = [speaker, { ...speaker, id: 'b' }, { ...speaker, id: 'c' }].map((entry) => ({
    tool: entry,
    methods: entry.methods,
    gone: false,
  }));
  const contents = new Map();
  const rows = gridRows([{ kind: 'device', entries: four }], { columns: 2, contents });
  expect(rows.map((row) => row.kind)).toEqual(['title', 'cards', 'cards']);
  expect(rows.map((row) => row.height)).toEqual([44, 140, 128]);
  const one = { kind: 'device' as const, entries: [{ tool: lamps, methods: lamps.methods, gone: false }] };
  expect(gridRows([one], { columns: 2, contents })[1]?.height).toBe(inviteHeight);
});

it('lays rows out one below the other, of one height', () => {
  const groups = grouped({ tools: [clock, lamp, lamps] });
  const rows = gridRows(groups, { rowHeight: 30 }).filter(({ kind }) => kind === 'cards');
  expect(rows.map(({ height }) => height)).toEqual([30, 30, 30]);
});

it('lists the first methods on the card of a board, or names the board before it that has the same methods', () => {
  const board = (id: string, ...names: string[]): ToolEntry => {
    const methods = names.map((name) => ({ ...speaker.methods[0]!, name }));
    return { tool: { ...speaker, id, name: id, methods }, methods, gone: false };
  };
  const entries = [board('a', '1', '2', '3', '4'), board('b', '1', '2', '3', '4'), board('c', '1', '2', '3', '9')];
  const of = (isSearch: boolean, boards = entries) => {
    const contents = cardContents([{ kind: 'device', entries: boards }], isSearch, ({ id }) => id !== 'part');
    return boards.map(({ tool }) => {
      const { methods, like } = contents.get(tool.id)!;
      return like?.id ?? methods.map(({ name }) => name).join(' ');
    });
  };
  expect(of(false)).toEqual(['1 2 3', 'a', '1 2 3']);
  expect(of(true)).toEqual(['1 2 3', '1 2 3', '1 2 3']);
  // In any order, and not as a board whose list is incomplete.
  const boards = [board('part', '2', '1'), board('a', '1', '2'), board('b', '2', '1')];
  expect(of(false, boards)).toEqual(['2 1', '1 2', 'a']);
});
