import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerAsFirmware } from '../../../src-core/devices/virtual/firmwareMcp.ts';
import { esp32S3Box } from '../../../src-core/devices/virtual/profiles/esp32S3Box.ts';
import type { VirtualProfile } from '../../../src-core/devices/virtual/profile.ts';
import type { JsonValue } from '../../../src-core/tools/json.ts';

const corpus = new URL('../../../../shared/corpus/edge-esp32host.txt', import.meta.url);

function answer(
  payload: JsonValue,
  profile: VirtualProfile<object> = esp32S3Box as unknown as VirtualProfile<object>,
): string | undefined {
  return answerAsFirmware(payload, { profile, state: profile.createState(), host: { pullPlug: () => {} } });
}

const setVolume = (args: JsonValue) => ({ name: 'self.audio_speaker.set_volume', arguments: args });
const request = (id: JsonValue, method: string, more: { [key: string]: JsonValue } = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...more,
});

/** The recorded odd requests by their names in the corpus. */
const odd: Record<string, JsonValue> = {
  'string id': request('abc', 'tools/list', { params: {} }),
  'id 0': request(0, 'initialize'),
  'id null': request(null, 'initialize'),
  'id 1.5': request(1.5, 'initialize'),
  'id -7': request(-7, 'initialize'),
  'id 2^31 (over int32)': request(2 ** 31, 'initialize'),
  'id 1e15': request(1e15, 'initialize'),
  'params null': request(12, 'tools/list', { params: null }),
  'params array': request(13, 'tools/list', { params: [] }),
  'cursor unknown': request(15, 'tools/list', { params: { cursor: 'no.such' } }),
  ping: request(16, 'ping'),
  'notifications/initialized': { jsonrpc: '2.0', method: 'notifications/initialized' },
  'resources/list': request(17, 'resources/list'),
  'jsonrpc missing': { id: 18, method: 'initialize' },
  'jsonrpc 1.0': { jsonrpc: '1.0', id: 19, method: 'initialize' },
  'call no params': request(20, 'tools/call'),
  'call no name': request(21, 'tools/call', { params: {} }),
  'call no arguments key': request(22, 'tools/call', { params: { name: 'self.audio_speaker.set_volume' } }),
  'call arguments null': request(23, 'tools/call', { params: setVolume(null) }),
  'call arguments array': request(24, 'tools/call', { params: setVolume([]) }),
  'call extra argument': request(25, 'tools/call', { params: setVolume({ volume: 30, extra: 1 }) }),
  'call int as true': request(26, 'tools/call', { params: setVolume({ volume: true }) }),
  'call int -1': request(27, 'tools/call', { params: setVolume({ volume: -1 }) }),
  'call int 1e12': request(28, 'tools/call', { params: setVolume({ volume: 1e12 }) }),
  'batch payload': [request(29, 'initialize')],
  'payload string': JSON.stringify(request(30, 'initialize')),
  'a response to nothing': { jsonrpc: '2.0', id: 31, result: {} },
};

describe('the firmware profile answers odd requests as the firmware was seen to', () => {
  test.runIf(existsSync(corpus)).each(Object.entries(odd))('%s', (name, payload) => {
    const line = readFileSync(corpus, 'utf8')
      .split('\n')
      .find((candidate) => candidate.split('=>')[0]?.trim() === name);
    const [, expected = ''] = line?.split(/=> ?/) ?? [];
    expect(expected).not.toBe('');
    // The recording cut one brace too few off the envelope, and its board had another name.
    const recorded =
      expected === 'NO REPLY' ? undefined : expected.replace(/\}$/, '').replaceAll('"host-sim"', '"esp32-s3-box"');
    expect(answer(payload)).toBe(recorded);
  });

  test('arguments regardless of case, and numbers cut', () => {
    expect(answer(request(1, 'tools/call', { params: setVolume({ VOLUME: 30.9 }) }))).toContain('"true"');
    expect(answer(request(1, 'tools/call', { params: setVolume({ volume: '30' }) }))).toContain(
      'Missing valid argument: volume',
    );
  });

  test('a quote in an error makes the answer invalid JSON', () => {
    const text = answer(request(15, 'tools/call', { params: { name: 'no"such', arguments: {} } }));
    expect(text).toBe('{"jsonrpc":"2.0","id":15,"error":{"message":"Unknown tool: no"such"}}');
    expect(() => JSON.parse(text ?? '') as unknown).toThrow(SyntaxError);
  });

  test('lists are paged below 8,000 bytes, hidden tools come on request, and an oversized tool is an error', () => {
    const tool = (name: string, size: number) => ({
      name,
      description: '字'.repeat(size),
      properties: [],
      run: () => true,
    });
    const profile: VirtualProfile<object> = {
      id: 'p',
      board: 'p',
      firmware: '1.0',
      createState: () => ({}),
      tools: [
        tool('a', 1_000),
        tool('b', 1_000),
        tool('c', 1_000),
        { ...tool('hidden', 1), userOnly: true },
        tool('huge', 3_000),
      ],
    };
    const page = (cursor: string, withUserTools = false) =>
      answer(request(1, 'tools/list', { params: { cursor, withUserTools } }), profile) ?? '';
    const first = JSON.parse(page('')) as { result: { tools: { name: string }[]; nextCursor: string } };
    expect(Buffer.byteLength(page(''))).toBeLessThan(8_100);
    expect(first.result.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(first.result.nextCursor).toBe('c');
    expect(page('c')).toContain('"nextCursor":"huge"');
    expect(page('c', true)).toContain('"annotations":{"audience":["user"]}');
    expect(page('huge')).toContain('Failed to add tool huge because of payload size limit');
  });
});
