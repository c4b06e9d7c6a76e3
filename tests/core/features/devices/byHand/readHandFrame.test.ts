import { describe, expect, test } from 'vitest';
import { readHandFrame } from '../../../../../src-core/features/devices/byHand/readHandFrame.ts';

const mcp = (payload: unknown) => JSON.stringify({ type: 'mcp', payload });
const call = (name: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: {} },
  ...more,
});

describe("the user's frame", () => {
  test.each<[string, string, object]>([
    [
      'a request',
      mcp(call('a.b')),
      { type: 'mcp', summary: 'tools/call a.b', method: 'tools/call', tool: 'a.b', id: 7 },
    ],
    [
      'a list',
      mcp({ id: 1, method: 'tools/list' }),
      { type: 'mcp', summary: 'tools/list', method: 'tools/list', id: 1 },
    ],
    [
      'a notification',
      mcp({ method: 'notifications/x' }),
      { type: 'mcp', summary: 'notifications/x', method: 'notifications/x' },
    ],
    [
      'a request with an id that is text',
      mcp(call('a', { id: '7' })),
      { type: 'mcp', summary: 'tools/call a', method: 'tools/call', tool: 'a' },
    ],
    ['a broken id', mcp({ id: 1.9, method: 'ping' }), { type: 'mcp', summary: 'ping', method: 'ping', id: 1 }],
    [
      'an id beyond 32 bits',
      mcp({ id: 1e15, method: 'ping' }),
      { type: 'mcp', summary: 'ping', method: 'ping', id: 2 ** 31 - 1 },
    ],
    ['an answer', mcp({ id: 1, result: {} }), { type: 'mcp', summary: 'mcp without a method' }],
    ['no payload', '{"type":"mcp"}', { type: 'mcp', summary: 'mcp without a payload object' }],
    ['a batch', mcp([call('a')]), { type: 'mcp', summary: 'mcp without a payload object' }],
    ['speech', '{"type":"tts","state":"start"}', { type: 'tts', summary: 'tts start' }],
    [
      'a restart',
      '{"type":"system","command":"reboot"}',
      { type: 'system', summary: 'system reboot', tool: 'system reboot' },
    ],
    ['another command', '{"type":"system","command":"x"}', { type: 'system', summary: 'system' }],
    ['an unknown type', '{"type":"close"}', { type: 'event', summary: 'close' }],
    ['no type', '{"a":1}', { type: 'event', summary: 'a message without a type' }],
    [
      '__proto__',
      '{"__proto__":{"type":"system","command":"reboot"}}',
      { type: 'event', summary: 'a message without a type' },
    ],
    ['no JSON', '{"type":"system","command":"reboot"', { type: 'invalid', summary: 'text that is not a JSON object' }],
    ['nothing', '', { type: 'invalid', summary: 'text that is not a JSON object' }],
  ])('that is %s', (_what, text, frame) => {
    expect(readHandFrame(text)).toEqual(frame);
  });
});
