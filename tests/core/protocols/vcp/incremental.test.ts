import { describe, expect, test } from 'vitest';

import { createVcpParser } from '../../../../src-core/protocols/vcp/createVcpParser.ts';
import { call, otherCall } from './blocks.ts';

/** Feeds a text one code unit at a time and notes after how many of them each call was announced. */
function announcements(text: string): [string, number][] {
  const announced: [string, number][] = [];
  let at = 0;
  const parser = createVcpParser({ onRequest: ({ toolName }) => announced.push([toolName, at]) });
  for (; at < text.length;) {
    at++;
    parser.feed(text.slice(at - 1, at));
  }
  parser.end();
  return announced;
}

describe('an incremental parse', () => {
  test('announces a block with the last character of its END', () => {
    const text = `Hello.\n${call}\nand\n${otherCall}\n`;
    expect(announcements(text)).toEqual([
      ['t', text.indexOf(call) + call.length],
      ['u', text.indexOf(otherCall) + otherCall.length],
    ]);
  });

  test('announces a block after a stray backtick at once', () => {
    const text = `It isn\`t hard:\n${call}\nmore \` text`;
    expect(announcements(text)).toEqual([['t', text.indexOf(call) + call.length]]);
  });

  test('announces a block in an open fence only when the fence turns out never to close', () => {
    expect(announcements(`\`\`\`\n${call}\n\`\`\`\nafter\n`)).toEqual([]);
    const open = `\`\`\`\n${call}\nafter\n`;
    expect(announcements(open)).toEqual([['t', open.length]]);
  });

  test('announces nothing from inside an escaped value that is still open', () => {
    const nested = `<<<[TOOL_REQUEST]>>>\ntool_name:「始」o「末」,\nv:「始ESCAPE」\n<<<[END_TOOL_REQUEST]>>>\n${call}\n「末ESCAPE」\n<<<[END_TOOL_REQUEST]>>>`;
    expect(announcements(nested).map(([name]) => name)).toEqual(['o']);
  });

  test('announces diagnostics once each, and all of them', () => {
    const seen: string[] = [];
    const parser = createVcpParser({ onDiagnostic: ({ code }) => seen.push(code) });
    for (const character of `<think>${call}</think>${call}<<<[END_TOOL_REQUEST]>>>`) parser.feed(character);
    const { diagnostics } = parser.end();
    expect(seen).toEqual(['in-reasoning', 'stray-end']);
    expect(diagnostics.map(({ code }) => code)).toEqual(seen);
  });

  test('takes one text: a chunk after the end is an error that says so', () => {
    const parser = createVcpParser();
    parser.feed(call);
    const result = parser.end();
    expect(parser.end()).toBe(result);
    expect(() => {
      parser.feed('x');
    }).toThrow('The text has ended');
  });

  test('an error of a listener is the caller’s: it is not swallowed', () => {
    const parser = createVcpParser({
      onRequest: () => {
        throw new Error('mine');
      },
    });
    expect(() => {
      parser.feed(call);
    }).toThrow('mine');
  });
});
