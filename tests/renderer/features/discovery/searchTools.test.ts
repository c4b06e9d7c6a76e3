import { describe, expect, it } from 'vitest';

import { matchRank, rankOf } from '../../../../renderer/ui/search/rankMatches.ts';
import { findMethods, toolTexts } from '../../../../renderer/features/discovery/searchTools.ts';
import { findCorrecting } from '../../../../renderer/ui/search/correctWords.ts';
import { queryWords } from '../../../../renderer/ui/search/matchWords.ts';
import type { MethodView, ToolSourceKind, ToolView } from '../../../../src-core/contract/types.ts';

function toolOf(
  id: string,
  name: string,
  kind: ToolSourceKind,
  methods: Record<string, Partial<MethodView>>,
): ToolView {
  const views = Object.entries(methods).map(([method, about]): MethodView => ({
    name: method,
    description: '',
    agentCallable: true,
    inputSchema: {},
    parameters: [],
    qualifiedName: `${id}_${method}`,
    ...about,
  }));
  return { id, name, source: { kind, id, label: name }, enabled: true, methods: views };
}

const volume = { 'self.reboot': {}, 'self.audio_speaker.set_volume': { description: 'Sets the loudness' } };
const tools = [
  toolOf('gateway-1', 'connection-1', 'gateway', { get_time: { description: 'The clock of the client' } }),
  toolOf('clock', 'Clock', 'builtin', { get_date: {}, get_time: {}, get_time_zone: {} }),
  toolOf('odd', 'Odd things', 'module', { rtl: {} }),
  toolOf('esp32-s3-box-f4d77a', 'Kitchen', 'device', volume),
  toolOf('esp32-s3-box-4feb2d', 'Board crash', 'device', volume),
];
const found = (query: string): string[] =>
  findMethods(tools, { words: queryWords(query), limit: 100 }).map(({ item }) => item.method.qualifiedName);

describe('a search for tools', () => {
  it('finds those of a device by the name of its node', () => {
    const tool = toolOf('lamp', 'Lamp', 'device', volume);
    const remote = { ...tool, source: { ...tool.source, node: 'lab-2' } };
    const methods = findMethods([remote, ...tools], { words: queryWords('lab-2 volume'), limit: 100 });
    expect(methods.map(({ item }) => item.method.qualifiedName)).toEqual(['lamp_self.audio_speaker.set_volume']);
  });

  it.each([
    ['clock_get_time', 'clock_get_time'],
    ['odd_rtl', 'odd_rtl'],
    ['esp32-s3-box-f4d77a_self.reboot', 'esp32-s3-box-f4d77a_self.reboot'],
    // As a model writes it whose interface takes no dots.
    ['esp32-s3-box-f4d77a_self_reboot', 'esp32-s3-box-f4d77a_self.reboot'],
    ['CLOCK_GET_TIME', 'clock_get_time'],
    ['clock get_time', 'clock_get_time'],
    ['time clock', 'clock_get_time'],
    ['board crash volume', 'esp32-s3-box-4feb2d_self.audio_speaker.set_volume'],
    ['4feb2d reboot', 'esp32-s3-box-4feb2d_self.reboot'],
    ['kitchen reboot', 'esp32-s3-box-f4d77a_self.reboot'],
  ])('%s finds %s first', (query, name) => {
    expect(found(query)[0]).toBe(name);
  });

  it('finds the parts of a word that a name has apart, after names that have it whole', () => {
    const shop = toolOf('shop', 'Shop', 'module', { get_refund_051: {}, get_refund_052: {}, refund_get_052: {} });
    const names = (query: string): string[] =>
      findMethods([shop], { words: queryWords(query), limit: 9 }).map(({ item }) => item.method.name);
    expect(names('refund get_052')).toEqual(['refund_get_052', 'get_refund_052']);
    expect(names('052_get shop')).toEqual(['get_refund_052', 'refund_get_052']);
    expect(names('refund get_053')).toEqual([]);
    expect(names('refund get_52')).toEqual([]);
  });

  it('finds a board by the number in its name, not by a digit of an id', () => {
    const ids = ['0c0b1b', 'ddfcb0', '75998e', '322ca2', '1fa904', '247a16', 'fe09e5', '0dcbab', '490975', '2d3f11'];
    const boards = ids.map((mac, at) =>
      toolOf(`esp32-s3-box-${mac}`, `Board ${at + 1}`, 'device', { ...volume, get_device_status: {} }),
    );
    const first = (query: string): string | undefined =>
      findMethods(boards, { words: queryWords(query), limit: 40 })[0]?.item.tool.name;
    const numbers = ids.map((_, at) => at + 1);
    expect(numbers.map((n) => first(`Board ${n} volume`))).toEqual(numbers.map((n) => `Board ${n}`));
    expect(numbers.map((n) => first(`${n} volume`))).toEqual(numbers.map((n) => `Board ${n}`));
  });

  it('puts tools that can do harm behind the others of their rank', () => {
    const asksFirst = { builtIn: 'Restarts the device.', patterns: [] };
    const board = toolOf('lamp', 'Desk lamp', 'device', { reboot: { asksFirst }, set_brightness: {}, read: {} });
    const names = (...words: string[]) =>
      findMethods([board], { words, limit: 100 }).map(({ item }) => item.method.qualifiedName);
    expect(names('desk', 'lamp')).toEqual(['lamp_read', 'lamp_set_brightness', 'lamp_reboot']);
    expect(names('lamp_reboot')[0]).toBe('lamp_reboot');
    expect(names('re')).toEqual(['lamp_read', 'lamp_reboot']);
    // Only its name has the word.
    expect(names('reboot', 'lamp')[0]).toBe('lamp_reboot');
  });

  it('puts what a method says of itself before what its tool says', () => {
    const dice = toolOf('dice', 'Dice', 'module', {
      fail: { description: 'Fails' },
      roll_all: { description: '掷骰子' },
    });
    const methods = findMethods([{ ...dice, description: '掷骰子。' }], { words: ['掷'], limit: 5 });
    expect(methods.map(({ item }) => item.method.name)).toEqual(['roll_all', 'fail']);
  });

  it('puts names before descriptions, and a full name before all', () => {
    const ranks = findMethods(tools, { words: ['clock', 'get_time'], limit: 100 }).map(({ item, score }) => [
      item.method.qualifiedName,
      rankOf(score),
    ]);
    expect(ranks).toEqual([
      ['clock_get_time', matchRank.fullName],
      ['clock_get_time_zone', matchRank.names],
      ['gateway-1_get_time', matchRank.about],
    ]);
  });

  it('tells names apart that differ only in their separators', () => {
    const alike = toolOf('a', 'A', 'module', { 'b.c': {}, b_c: {} });
    const first = (query: string): string | undefined =>
      findMethods([alike], { words: [query], limit: 2 })[0]?.item.method.qualifiedName;
    expect([first('a_b.c'), first('a_b_c')]).toEqual(['a_b.c', 'a_b_c']);
  });

  it('lists a qualified name once that methods of two tools have', () => {
    const both = [toolOf('a', 'A', 'module', { b_c: {} }), toolOf('a_b', 'B', 'module', { c: {} })];
    expect(findMethods(both, { words: ['a_b_c'], limit: 9 })).toHaveLength(1);
  });

  it('leaves out what has not every word, and lists no more than asked for', () => {
    expect(found('clock volume')).toEqual([]);
    expect(findMethods(tools, { words: ['self'], limit: 3 })).toHaveLength(3);
    expect(found('')).toHaveLength(tools.flatMap(({ methods }) => methods).length);
  });
});

describe('a search that finds nothing', () => {
  const search = (query: string) =>
    findCorrecting(queryWords(query), {
      find: (words) => findMethods(tools, { words, limit: 3 }),
      texts: () => tools.map((tool) => toolTexts(tool).all),
    });

  it.each([
    ['clock_get_tme', 'clock_get_time', 'clock_get_time'],
    ['setvolume', 'set_volume', 'esp32-s3-box-4feb2d_self.audio_speaker.set_volume'],
    ['setvolme', 'set_volume', 'esp32-s3-box-4feb2d_self.audio_speaker.set_volume'],
    ['clok', 'clock', 'clock_get_date'],
    ['kichen reboot', 'kitchen reboot', 'esp32-s3-box-f4d77a_self.reboot'],
    // A word that is only in a description is no mistake.
    ['kichen loudness', 'kitchen loudness', 'esp32-s3-box-f4d77a_self.audio_speaker.set_volume'],
  ])('%s is corrected to %s, which finds %s first', (query, words, name) => {
    const { found, words: used, corrected } = search(query);
    expect({ words: used.join(' '), corrected }).toEqual({ words, corrected: true });
    expect(found[0]?.item.method.qualifiedName).toBe(name);
  });

  it.each(['zzqx', '  ', 'zq', 'clock volume', 'clok volume'])('%s finds what it says, or nothing', (query) => {
    const { words, corrected } = search(query);
    expect({ words, corrected }).toEqual({ words: queryWords(query), corrected: false });
  });

  it.each([
    ['token', 'broken'],
    ['api', 'camera_picture'],
    // Whole words, not slips: a shorter word that is in the typed one is another.
    ['forget', 'for devices'],
    ['discard', 'card'],
  ])('%s does not become %s', (query, name) => {
    const texts = () => [{ names: [name], about: '' }];
    const find = (words: readonly string[]) => words.filter((word) => name.includes(word));
    expect(findCorrecting([query], { find, texts }).corrected).toBe(false);
  });
});
