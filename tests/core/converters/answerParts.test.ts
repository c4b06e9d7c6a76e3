import { expect, test } from 'vitest';

import { answerParts } from '../../../src-core/converters.ts';
import type { ContentBlock, ToolExecutionResult } from '../../../src-core/converters.ts';

const image: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const sound: ContentBlock = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
const text = (words: string): ContentBlock => ({ type: 'text', text: words });

function parts(status: ToolExecutionResult['status'], result: string, content?: ContentBlock[]): unknown {
  return answerParts({ requestId: '1', toolName: 'x', durationMs: 0, status, result, ...(content && { content }) });
}

test('an answer of text is its text; of a failure it says so', () => {
  expect(parts('success', 'true')).toBe('true');
  expect(parts('success', 'a\nb', [text('a'), text('b')])).toBe('a\nb');
  expect(parts('success', '', [])).toBe('');
  expect(parts('error', 'no film', [text('no film')])).toBe('Error: no film');
});

test('an answer with pictures or sound keeps every part in order, and has some text', () => {
  expect(parts('success', 'a\nb', [text('a'), image, text('b'), sound])).toEqual([text('a'), image, text('b'), sound]);
  expect(parts('error', 'a', [image, text('a')])).toEqual([image, text('Error: a')]);
  expect(parts('success', '[image/png, 1 bytes]', [image])).toEqual([text('[image/png, 1 bytes]'), image]);
});

test('converts a resource to text', () => {
  const file: ContentBlock = { type: 'resource', uri: 'file:///a.txt', text: 'hi' };
  expect(parts('success', 'x', [file, { type: 'resource', uri: 'file:///b.bin' }])).toEqual([
    text('[file:///a.txt]\nhi'),
    text('[file:///b.bin]'),
  ]);
});
