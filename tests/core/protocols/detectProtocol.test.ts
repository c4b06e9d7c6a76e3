import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectProtocol } from '../../../src-core/protocols/detectProtocol.ts';
import { openWorkMeter } from './measureWork.ts';

const vcp = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>';
const json = '<tool_call>{"name":"a_b","arguments":{}}</tool_call>';
const protocolOf = (text: string) => detectProtocol(text).protocol;

describe('detectProtocol', () => {
  test.each([
    [`Well.\n${vcp}`, 'vcp'],
    [`Well.\n${json}`, 'json'],
    ['```json\n{"name":"a_b","arguments":{}}\n```', 'json'],
    ['INFO {"tool_calls":[{"function":{"name":"a_b","arguments":"{}"}}]}', 'json'],
    ['', 'vcp'],
    ['Just talk about {json} and <tool_call>.', 'vcp'],
  ])('%j', (text, protocol) => {
    const detected = detectProtocol(text);
    expect(detected.protocol).toBe(protocol);
    expect(detected.diagnostics).toEqual([]);
    expect(detected.reason).toMatch(/^The .+\.$/);
  });

  test('of both the first that would run, and the other is told', () => {
    for (const [text, protocol, other] of [
      [`${vcp}\n${json}`, 'vcp', json],
      [`${json}\n${vcp}`, 'json', vcp],
    ] as const) {
      const detected = detectProtocol(text);
      expect(detected.protocol).toBe(protocol);
      const [diagnostic] = detected.diagnostics;
      expect(diagnostic).toMatchObject({ code: 'other-protocol', severity: 'error' });
      expect(text.slice(diagnostic!.start, diagnostic!.end)).toBe(other);
    }
  });

  test('of the other protocol also a broken call is told, unless it is data', () => {
    const broken = json.replace('}}', ',,}}');
    const { protocol, diagnostics } = detectProtocol(`${vcp}\n${broken}`);
    expect([protocol, diagnostics.length]).toEqual(['vcp', 1]);
    expect(diagnostics[0]).toMatchObject({ code: 'other-protocol', start: expect.any(Number) });
    const inVcp = vcp.replace('a_b「末」', `a_b「末」,\ntext:「始」${broken}「末」`);
    expect(detectProtocol(inVcp).diagnostics).toEqual([]);
  });

  test('of the other protocol also blocks that cannot be read, and calls that are only shown, are told', () => {
    const malformed = vcp.replace('name:', 'name：');
    const fence = `\`\`\`\n${vcp}\n\`\`\``;
    const told = (text: string) =>
      detectProtocol(text).diagnostics.map(({ code, start, end }) => [code, text.slice(start, end)]);
    expect(told(`${json}\n${vcp}\n${malformed}\n<think>${vcp}</think>\n${fence}`)).toEqual([
      ['other-protocol', vcp],
      ['other-protocol', malformed],
      ['in-reasoning', vcp],
      ['fenced', expect.stringContaining(vcp)],
    ]);
    // What the text's own protocol reports is not told twice.
    expect(told(`${json}\n<think>${json}</think>`)).toEqual([]);
  });

  test('what is only thought, shown or data does not count', () => {
    expect(protocolOf(`<think>${vcp}</think>\n${json}`)).toBe('json');
    expect(protocolOf(`\`\`\`sh\n${json}\n\`\`\`\n${vcp}`)).toBe('vcp');
    const carried = `<tool_call>${JSON.stringify({ name: 'a_b', arguments: { text: vcp } })}</tool_call>`;
    expect(detectProtocol(carried)).toMatchObject({ protocol: 'json', diagnostics: [] });
    const inVcp = vcp.replace('a_b「末」', `a_b「末」,\ntext:「始」${json}「末」`);
    expect(detectProtocol(inVcp)).toMatchObject({ protocol: 'vcp', diagnostics: [] });
  });

  test('a broken call shows the protocol, too', () => {
    expect(protocolOf('<tool_call>{"name":"a_b","arguments":{')).toBe('json');
    expect(protocolOf('<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」')).toBe('vcp');
  });

  test('a call that is only shown or thought shows it where there is nothing else, so that it is told why it is not run', () => {
    for (const text of [`<think>${json}</think>`, `\`\`\`\n${json}\n\`\`\``, `<think>${json}`])
      expect(protocolOf(text)).toBe('json');
    for (const text of [`<think>${vcp}</think>`, `\`\`\`\n${vcp}\n\`\`\``]) expect(protocolOf(text)).toBe('vcp');
  });

  test('VCP is read in its dialect', () => {
    const text = `\`\`\`\n${vcp}\n\`\`\`\n${json}`;
    expect(protocolOf(text)).toBe('json');
    expect(detectProtocol(text, { dialect: 'vcptoolbox' }).protocol).toBe('vcp');
  });

  test('any text, in linear work', async () => {
    const piece = fc.constantFrom(
      vcp,
      json,
      '<tool_call>',
      '<<<[TOOL_REQUEST]>>>',
      '```',
      '\n',
      '{',
      '「始」',
      '<think>',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const { start, end } of detectProtocol(text).diagnostics)
          expect(start < end && end <= text.length).toBe(true);
      }),
    );
    await using meter = openWorkMeter();
    const unit = `${vcp}\n${json}\n{"`;
    expect(detectProtocol(unit.repeat(4_000)).diagnostics.length).toBe(4_000);
    const once = await meter.measure([unit.repeat(250)], 'auto');
    expect(once).toBeGreaterThan(250 * unit.length);
    expect(await meter.measure([unit.repeat(2_000)], 'auto')).toBeLessThan(8.8 * once);
  });
});
