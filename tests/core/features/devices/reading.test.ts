import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readDeviceMessage, salvageRpcId } from '../../../../src-core/features/devices/wire/deviceMessage.ts';
import { maskSecrets } from '../../../../src-core/base/maskSecrets.ts';
import { plainText } from '../../../../src-core/features/devices/wire/plainText.ts';
import { registryIdFor } from '../../../../src-core/features/devices/session/registryId.ts';
import { readToolAnswer } from '../../../../src-core/registry/readToolAnswer.ts';
import { formatDuration } from '../../../../src-core/base/formatDuration.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';

describe('a tools/call result', () => {
  test.each<[string, JsonValue, unknown]>([
    [
      'one text',
      { content: [{ type: 'text', text: '42' }], isError: false },
      { value: '42', content: [{ type: 'text', text: '42' }] },
    ],
    [
      'several parts, each kept',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        value: 'a\nb',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      'the image of the firmware',
      { content: [{ type: 'image', image: '{"type":"image","mimeType":"image/jpeg","data":"AAAA"}' }] },
      { value: '[image/jpeg, 3 bytes]', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/jpeg' }] },
    ],
    [
      'an image of no image type',
      { content: [{ type: 'image', data: 'x', mimeType: 'text/html' }] },
      { value: '{"type":"image","data":"x","mimeType":"text/html"}' },
    ],
    [
      'a stringified image that is none',
      { content: [{ type: 'image', image: '{"type":"image"' }] },
      { value: '{"type":"image","image":"{\\"type\\":\\"image\\""}' },
    ],
    [
      'data beside the text, which stays the value',
      { content: [{ type: 'text', text: '21 °C' }], structuredContent: { celsius: 21 } },
      { value: '21 °C', content: [{ type: 'text', text: '21 °C' }], structuredContent: { celsius: 21 } },
    ],
    ['data alone', { structuredContent: { celsius: 21 } }, { value: { celsius: 21 } }],
    ['nothing in the list', { content: [] }, { value: '', content: [] }],
    ['no list', { answer: 1 }, { value: { answer: 1 } }],
    ['a bare value', 'yes', { value: 'yes' }],
    ['isError that is not true', { content: [{ type: 'text', text: 'x' }], isError: 'true' }, { value: 'x' }],
  ])('%s', (_what, result, expected) => {
    expect(readToolAnswer(result)).toMatchObject(expected as object);
    expect(readToolAnswer(result).isError).toBeUndefined();
  });
});

describe('a text frame', () => {
  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readDeviceMessage(text)));
  });

  test.each([
    ['{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":15,"error":{"message":"a "b" c"}}}', 15],
    ['{"jsonrpc": "2.0", "id": -7, "error', -7],
    ['{"jsonrpc":"2.0","error":{}}', undefined],
    ['{"id":"15"', undefined],
    ['', undefined],
  ])('finds the id: %s', (text, id) => {
    expect(salvageRpcId(text)).toBe(id);
  });

  test('is searched for an id in linear time', () => {
    expect(salvageRpcId(`${'"id" '.repeat(400_000)}`)).toBeUndefined();
    expect(salvageRpcId(`${'"id":'.repeat(400_000)}7`)).toBe(7);
  });
});

test.each([
  ['{"token":"s3cret","x":1}', '{"token":"***","x":1}'],
  ['{"Authorization" : "Bearer s3cret"}', '{"Authorization" : "***"}'],
  ['{"token":"a\\"s3cret"}', '{"token":"***"}'],
  [
    'GET /xiaozhi/v1/?device-id=1&authorization=Bearer%20s3cret&client-id=2',
    'GET /xiaozhi/v1/?device-id=1&authorization=***&client-id=2',
  ],
  ['said Bearer s3cret.', 'said Bearer ***'],
])('secrets in %s are masked', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test("converts a device's text to one printable, well-formed line, or to nothing", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const text = plainText(value, 10);
      expect(
        text === undefined || (text.length <= 10 && text.isWellFormed() && !/[\u0000-\u001f\u202e]/.test(text)),
      ).toBe(true);
    }),
  );
  expect(plainText(' 书房\n音箱 ')).toBe('书房 音箱');
  expect(plainText('\n')).toBeUndefined();
});

test('registry ids hold no character that needs a quote, and are never taken', () => {
  const taken = new Set<string>();
  fc.assert(
    fc.property(fc.string(), fc.string(), (board, deviceId) => {
      const id = registryIdFor({ board, deviceId, isTaken: (candidate) => taken.has(candidate) });
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(taken.has(id)).toBe(false);
      taken.add(id);
    }),
  );
  expect(registryIdFor({ board: '书房', deviceId: '02:00:00:AA:BB:CC', isTaken: () => false })).toBe('device-aabbcc');
});

test.each([
  [0.4, '0.4 ms'],
  [2, '2 ms'],
  [2.641, '2.6 ms'],
  [9.97, '10 ms'],
  [640, '640 ms'],
  [2_414, '2.41 s'],
])('%d ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a resource keeps its address and what it holds, a link to one holds nothing', () => {
  const text = { uri: 'file:///a.json', mimeType: 'application/json', text: '{}' };
  const content: JsonValue[] = [
    { type: 'resource', resource: text },
    { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
    { type: 'resource_link', uri: 'https://example.org/c', name: 'c', text: 'not of a link' },
    { type: 'resource', resource: { text: 'no address' } },
  ];
  expect(readToolAnswer({ content }).content).toEqual([
    { type: 'resource', ...text },
    { type: 'resource', uri: 'file:///b', blob: 'AAAA' },
    { type: 'resource', uri: 'https://example.org/c', name: 'c' },
    { type: 'text', text: JSON.stringify(content[3]) },
  ]);
});
