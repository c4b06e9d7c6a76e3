import { describe, expect, test } from 'vitest';

import { findingsOf } from '../../../../src-core/features/hosts/hostLimits.ts';

const tool = (more: object = {}) => ({ name: 'lamp_on', inputSchema: { type: 'object' as const }, ...more });
/** Host, code, effect and limit of each finding. */
const found = (more: object, place = 0, timeoutMs = 30_000): string[] =>
  findingsOf(tool(more), { place, timeoutMs }).map(
    ({ host, code, effect, limit }) => `${host}: ${code}, ${effect}, ${limit ?? '-'}`,
  );

describe('what hosts do not take of a tool', () => {
  test('nothing, if it keeps to all limits', () => {
    const properties = { mode: { anyOf: [{ type: 'string' }, { type: 'number' }] } };
    expect(found({ description: 'x'.repeat(2_048), inputSchema: { type: 'object', properties } }, 39)).toEqual([]);
  });

  test.each(['anyOf', 'oneOf', 'allOf'])('a schema with %s at the top', (key) => {
    expect(found({ inputSchema: { type: 'object', [key]: [{ required: ['a'] }] } })).toEqual([
      'Claude Code: schema-union, left-out, -',
    ]);
  });

  test('a long description', () => {
    expect(found({ description: 'x'.repeat(2_049) })).toEqual(['Claude Code: description-too-long, cut, 2048']);
  });

  test('calls that may take longer than it waits', () => {
    expect(found({}, 0, 59_999)).toEqual([]);
    expect(found({}, 0, 60_000)).toEqual(['Claude Desktop: too-slow, gives-up, 60', 'Codex: too-slow, gives-up, 60']);
  });

  test('long names, and other characters', () => {
    expect(found({ name: 'x'.repeat(53) })).toEqual([
      'Claude Code: name-too-long, left-out, 49',
      'Cursor: name-too-long, left-out, 52',
    ]);
    expect(found({ name: 'a.b' }).map((line) => line.split(',')[0])).toEqual(
      ['Claude Code', 'Claude Desktop', 'VS Code', 'Cursor', 'Codex'].map((host) => `${host}: name-characters`),
    );
  });

  test('tools over the number that a host takes', () => {
    expect(found({}, 40)).toEqual(['Cursor: too-many, warning, 40']);
    expect(found({}, 128)).toEqual([
      'Claude Code: too-many, left-out, 128',
      'VS Code: too-many, refused, 128',
      'Cursor: too-many, warning, 40',
    ]);
  });
});
