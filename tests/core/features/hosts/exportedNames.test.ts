import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createExportedNames, type NamedTool } from '../../../../src-core/features/hosts/exportedNames.ts';

const pattern = /^(?!.*__)[A-Za-z0-9_]{1,46}$/;

function memoryStore() {
  const values = new Map<string, JsonValue>();
  return {
    get: (key: string) => values.get(key),
    // As a database keeps it: a copy.
    set: (key: string, value: JsonValue) => void values.set(key, JSON.parse(JSON.stringify(value)) as JsonValue),
  };
}

function namesOver(store = memoryStore()) {
  const errors: unknown[] = [];
  return { names: createExportedNames({ store, onError: (error) => errors.push(error) }), store, errors };
}

function tool(deviceId: string, methodName: string, board = 'kitchen'): NamedTool {
  return {
    source: { kind: 'device', id: deviceId },
    registryId: `${board}-${deviceId.replaceAll(':', '').slice(-6)}`,
    methodName,
  };
}

/** The names are stored at the end of the turn. */
const stored = () => Promise.resolve();

describe('names of tools for MCP hosts', () => {
  it('has the alias of the device in front, without self', () => {
    const { names } = namesOver();
    const volume = tool('aa:bb:cc:dd:ee:01', 'self.audio_speaker.set_volume');
    expect(names.fullName(volume)).toBe('kitchen_ee01_audio_speaker_set_volume');
    expect(names.localName(volume)).toBe('audio_speaker_set_volume');
  });

  it('reads names value by value, and keeps those that it cannot read', async () => {
    const first = namesOver();
    const [lamp, fan] = [tool('aa:bb:cc:dd:ee:01', 'self.lamp'), tool('aa:bb:cc:dd:ee:02', 'self.fan')];
    first.names.rename(lamp, 'night_light');
    first.names.setAlias(lamp, 'bedroom');
    first.names.localName(lamp);
    await stored();
    const { aliases, full, local } = first.store.get('hostNames') as Record<string, Record<string, JsonValue>>;
    const damaged = {
      aliases: { ...aliases, 'mcp:later': { alias: 'later' } },
      full: { ...full, 'mcp:later\nx': 1, [`device:${fan.source.id}\nself.fan`]: null },
      local: [local ?? {}],
      shapes: { later: true },
    };
    first.store.set('hostNames', damaged);

    const { names, store, errors } = namesOver(first.store);
    expect([names.fullName(lamp), names.alias(lamp)]).toEqual(['night_light', 'bedroom']);
    expect(errors.map(String)).toEqual([
      expect.stringContaining('1 of the names in "aliases"'),
      expect.stringContaining('2 of the names in "full"'),
      expect.stringContaining('1 of the names in "local"'),
    ]);
    expect(names.fullName(fan)).toBe('kitchen_ee02_fan');
    await stored();
    expect(store.get('hostNames')).toMatchObject({
      aliases: { ...aliases, 'mcp:later': { alias: 'later' } },
      full: { ...full, 'mcp:later\nx': 1, [`device:${fan.source.id}\nself.fan`]: 'kitchen_ee02_fan' },
      local: { '': [local ?? {}] },
      shapes: { later: true },
    });
  });

  it('cuts an alias between words', () => {
    const { names } = namesOver();
    expect(names.alias(tool('aa:bb:cc:dd:ec:7a', 'self.reboot', 'esp32-s3-box'))).toBe('esp32_s3_ec7a');
    expect(names.alias(tool('aa:bb:cc:dd:ec:7b', 'self.reboot', 'livingroomspeaker'))).toBe('livingrooms_ec7b');
  });

  it('calls an MCP server by its name, cut between words', () => {
    const { names } = namesOver();
    const alias = (registryId: string) => names.alias({ source: { kind: 'mcp', id: registryId }, registryId });
    expect(['mcp-everything', 'mcp-sequential-thinking', 'mcp-mcp'].map(alias)).toEqual([
      'everything',
      'sequential',
      'mcp',
    ]);
  });

  it('keeps the alias that a source has, and tells equal ones apart', () => {
    const clock = { source: { kind: 'builtin', id: 'clock' }, registryId: 'clock' } as const;
    const server = { source: { kind: 'mcp', id: '1' }, registryId: 'mcp-clock' } as const;
    const { names } = namesOver();
    expect(names.alias(clock)).toBe('clock');
    expect(names.alias(server)).toMatch(/^clock_[0-9a-f]{4}$/);
    const store = memoryStore();
    store.set('hostNames', { aliases: { 'mcp:1': 'mcp_clock' }, full: {}, local: {} });
    expect(namesOver(store).names.alias(server)).toBe('mcp_clock');
  });

  it('tells equal tools of two boards apart', () => {
    const { names } = namesOver();
    const all = ['aa:bb:cc:dd:ee:01', '11:22:33:44:ee:01'].map((id) => names.fullName(tool(id, 'self.reboot')));
    expect(new Set(all).size).toBe(2);
    expect(all[0]).toBe('kitchen_ee01_reboot');
  });

  it('keeps names across restarts, whatever connects first', async () => {
    const { names, store } = namesOver();
    const tools = [tool('11:01', 'self.a'), tool('22:01', 'self.a'), tool('11:01', 'a'), tool('11:01', '音量')];
    const before = tools.map((each) => [names.fullName(each), names.localName(each)]);
    await stored();
    const { names: later } = namesOver(store);
    const after = tools.toReversed().map((each) => [later.fullName(each), later.localName(each)]);
    expect(after.toReversed()).toEqual(before);
  });

  it('does not give the name of a tool that is gone to another one', async () => {
    const { names, store } = namesOver();
    const first = names.fullName(tool('11:01', 'self.get.light'));
    await stored();
    expect(namesOver(store).names.fullName(tool('11:01', 'self.get_light'))).not.toBe(first);
  });

  it('renames a tool, also after a restart, and keeps its earlier name from every other tool', async () => {
    const { names, store } = namesOver();
    const [one, other] = [tool('11:01', 'self.a'), tool('22:02', 'self.b')];
    const before = names.fullName(one);
    names.rename(one, 'lamp');
    await stored();
    const { names: later } = namesOver(store);
    expect(later.fullName(one)).toBe('lamp');
    for (const name of ['lamp', before, later.fullName(other)])
      expect(() => later.rename(name === later.fullName(other) ? one : other, name)).toThrow(
        `"${name}" is or was the name of another tool`,
      );
    later.rename(one, before);
    expect(later.fullName(one)).toBe(before);
    expect(() => later.rename(other, 'lamp')).toThrow('is or was the name of another tool');
  });

  it.each(['', 'a__b', 'a.b', 'a-b', 'x'.repeat(47), '灯'])('refuses the name "%s" and says what fits', (name) => {
    const rename = () => namesOver().names.rename(tool('11:01', 'self.a'), name);
    expect(rename).toThrow('A name consists of 1 to 46 letters, digits and single underscores. Choose another one.');
    expect(rename).toThrow(expect.objectContaining({ field: 'name' }) as Error);
  });

  it('does not confuse an alias with the beginning of a name', () => {
    const { names } = namesOver();
    const one = names.fullName({ source: { kind: 'module', id: 'a' }, registryId: 'a', methodName: 'b_c' });
    const other = names.fullName({ source: { kind: 'module', id: 'a_b' }, registryId: 'a_b', methodName: 'c' });
    expect(one).toBe('a_b_c');
    expect(other).not.toBe(one);
  });

  it('fits the pattern and is unique for any names', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })), {
          selector: ([id, method]) => `${id.replaceAll('\n', ' ')}\n${method}`,
          maxLength: 30,
        }),
        (pairs) => {
          const { names } = namesOver();
          const tools = pairs.map(([id, method]) => tool(id, method, id));
          const full = tools.map((each) => names.fullName(each));
          for (const name of [...full, ...tools.map((each) => names.localName(each))]) expect(name).toMatch(pattern);
          expect(new Set(full).size).toBe(full.length);
        },
      ),
    );
  });

  it('changes the alias in the names that have it, and leaves those that the user chose', () => {
    const { names } = namesOver();
    const given = ['self.a', '音量', `self.${'x'.repeat(60)}`].map((method) => tool('11:01', method));
    const own = tool('11:01', 'self.b');
    for (const each of [...given, own]) names.fullName(each);
    names.rename(own, `${names.alias(own)}_my_name`);
    const before = names.alias(own);
    names.setAlias(own, 'stove');
    expect(names.fullName(own)).toBe(`${before}_my_name`);
    for (const each of given) expect(names.fullName(each)).toMatch(/^stove_/);
  });

  it('has a mark in each further name once as many are stored as fit', () => {
    const store = memoryStore();
    const full = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`device:d\nm${at}`, `n${at}`]));
    store.set('hostNames', { aliases: {}, full, local: {} });
    const { names } = namesOver(store);
    const further = ['a.b', 'a_b', 'a-b'].map((methodName) =>
      names.fullName({ source: { kind: 'mcp', id: 's' }, registryId: 'srv', methodName }),
    );
    for (const name of further) expect(name).toMatch(/^srv_a_b_[0-9a-f]{8}$/);
    expect(new Set(further).size).toBe(3);
  });

  it('reports a stored value that it cannot read, and starts anew', () => {
    const store = memoryStore();
    store.set('hostNames', { aliases: 3 });
    const { names, errors } = namesOver(store);
    expect(errors).toHaveLength(1);
    expect(names.fullName(tool('11:01', 'self.a'))).toMatch(pattern);
  });
});
