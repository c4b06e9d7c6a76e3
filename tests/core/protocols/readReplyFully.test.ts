import { describe, expect, test } from 'vitest';

import { refusedSpans } from '../../../src-core/protocols/blockSpans.ts';
import { boundReading, windowLimits } from '../../../src-core/protocols/boundReading.ts';
import { readReply, replyDialects } from '../../../src-core/protocols/readReply.ts';
import { readReplyFully, smallText } from '../../../src-core/protocols/readReplyFully.ts';
import type { ReplyDialect, ReplyReading } from '../../../src-core/base/replyTypes.ts';
import { hostileTexts } from '../../helpers/hostileTexts.ts';

/** Ids that the model gave none of are random. */
function withoutIds(reading: ReplyReading): ReplyReading {
  const requests = reading.requests.map((request) => ({
    ...request,
    requestId: '',
    ...(request.calls && { calls: request.calls.map((call) => ({ ...call, requestId: '' })) }),
  }));
  return { ...reading, requests };
}

const vcp = (fields: string): string => `<<<[TOOL_REQUEST]>>>\n${fields}\n<<<[END_TOOL_REQUEST]>>>\n`;
const mixed = [
  '<think>first the time</think>',
  vcp('tool_name:「始」clock_get_time「末」'),
  vcp('tool_name:「始」clock「末」,command1:「始」get_time「末」,command2:「始」get_date「末」,zone:「始」UTC「末」'),
  '```\n<<<[TOOL_REQUEST]>>>\n```',
  '<tool_call>{"name":"clock_get_time","arguments":{"n":12345678901234567890}}</tool_call>',
  vcp('tool_name:「始」broken'),
].join('\n');

describe('a text that is read in a process', () => {
  test.each(replyDialects)('has the reading that it has here: %s', async (dialect) => {
    const text = `${mixed}\n${'plain words. '.repeat(2_000)}\n${mixed}`;
    expect(text.length).toBeGreaterThan(smallText);
    const here = readReply(text, { dialect });
    expect(here.diagnostics).not.toEqual([]);
    expect(withoutIds(await readReplyFully(text, { dialect }))).toEqual(withoutIds(here));
  });

  test.each(hostileTexts(60_000))('has it also if it consists of %s', async (_what, text) => {
    const dialect = 'auto';
    const here = boundReading(readReply(text, { dialect }));
    expect(withoutIds(await readReplyFully(text, { dialect }))).toEqual(withoutIds(here));
  });
});

describe('a bounded reading', () => {
  const read = (text: string, dialect: ReplyDialect): ReplyReading => readReply(text, { dialect });

  test('is the reading itself if that is small', () => {
    expect(boundReading(read(mixed, 'standard'))).not.toHaveProperty('omitted');
  });

  test.each(hostileTexts(300_000))('has at most 3 MB of JSON and counts the rest: %s', (_what, text) => {
    const whole = read(text, 'auto');
    const bounded = boundReading(whole);
    expect(JSON.stringify(bounded).length).toBeLessThan(3_000_000);
    expect(bounded.regions.length).toBeLessThanOrEqual(windowLimits.regions);
    const { calls, diagnostics, regions, refused } = bounded.omitted ?? {
      calls: 0,
      diagnostics: 0,
      regions: 0,
      refused: 0,
    };
    const shown = refusedSpans(bounded, bounded.diagnostics).length;
    expect(shown + refused).toBe(Math.max(shown, refusedSpans(whole, whole.diagnostics).length));
    expect([
      bounded.requests.length + calls,
      bounded.diagnostics.length + diagnostics,
      bounded.regions.length + regions,
    ]).toEqual([whole.requests.length, whole.diagnostics.length, whole.regions.length]);
  });

  test('counts the blocks that are not run and left out', () => {
    const refused = vcp('tool_name：「始」a「末」');
    const { omitted } = boundReading(read(`${vcp('tool_name:「始」a「末」')}${refused.repeat(1_300)}`, 'standard'));
    expect(omitted).toMatchObject({ calls: 0, diagnostics: 800, refused: 800 });
  });

  test('leaves out a call that is too large, and those after it', () => {
    const small = vcp('tool_name:「始」a「末」');
    const large = vcp(`tool_name:「始」a「末」,text:「始」${'x'.repeat(900_000)}「末」`);
    const { requests, omitted } = boundReading(read(small + large + small, 'standard'));
    expect(requests).toHaveLength(1);
    expect(omitted).toEqual({ calls: 2, diagnostics: 0, regions: 0, refused: 0 });
  });

  test('counts each call of a serial block, with its copy of the shared fields', () => {
    const commands = Array.from({ length: 100 }, (_, at) => `command${at}:「始」get「末」`).join(',');
    const block = vcp(`tool_name:「始」a「末」,${commands},text:「始」${'x'.repeat(5_000)}「末」`);
    const { requests, omitted } = boundReading(read(block.repeat(6), 'standard'));
    expect(requests).toHaveLength(3);
    expect(omitted?.calls).toBe(300);
  });

  test('keeps what is wrong and drops the fix if the fixes are too long', () => {
    const fix = { title: 'Fix', edits: [{ start: 0, end: 0, newText: 'x'.repeat(150_000) }] };
    const diagnostic = { code: 'fenced', severity: 'error', message: 'm'.repeat(600), start: 0, end: 1, fix } as const;
    const reading = { ...read('', 'standard'), diagnostics: [diagnostic, diagnostic] };
    const [first, second] = boundReading(reading).diagnostics;
    expect(first).toEqual({ ...diagnostic, message: `${'m'.repeat(500)}…` });
    expect(second).not.toHaveProperty('fix');
    expect(second?.message).toBe(first?.message);
  });
});
