import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { readToolResults } from './readToolResults.ts';
import { createVcpProtocol } from '../../../../src-core/protocols/vcp/vcpProtocol.ts';
import { call } from './blocks.ts';
import { vcpValue } from './vcpArbitrary.ts';

const { formatToolResults } = createVcpProtocol();

const result = (text: string, status: 'success' | 'error' = 'success'): ToolExecutionResult => ({
  requestId: 'r1',
  toolName: 'light_set',
  status,
  result: text,
  durationMs: 12,
});

describe('formatToolResults', () => {
  test('writes a TOOL_RESULT block for each result', () => {
    expect(formatToolResults([result('on'), result('no such lamp', 'error')])).toBe(
      '<<<[TOOL_RESULT]>>>\ntool_name:「始」light_set「末」,\nrequest_id:「始」r1「末」,\nstatus:「始」success「末」,\nresult:「始」on「末」\n<<<[END_TOOL_RESULT]>>>\n\n' +
        '<<<[TOOL_RESULT]>>>\ntool_name:「始」light_set「末」,\nrequest_id:「始」r1「末」,\nstatus:「始」error「末」,\nresult:「始」no such lamp「末」\n<<<[END_TOOL_RESULT]>>>',
    );
    expect(formatToolResults([])).toBe('');
  });

  test('no result breaks out: the text after it is still text, and no call in it is one', () => {
    fc.assert(
      fc.property(fc.array(vcpValue, { minLength: 1, maxLength: 3 }), (values) => {
        const text = formatToolResults(values.map((value) => result(value)));
        const { requests, regions } = parseVcp(`${text}\n${call}`);
        expect(requests.map(({ rawBlock }) => rawBlock)).toEqual([call]);
        expect(regions.filter(({ kind }) => kind === 'echo')).toHaveLength(values.length);
        // Nor for the host that looks for blocks in results too (the other one takes the escaped markers for real ones).
        expect(parseVcp(text, { dialect: 'vcptoolbox' }).requests).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('is read back to the byte', () => {
    fc.assert(
      fc.property(vcpValue, vcpValue, (value, name) => {
        const toolName = name.trim() === '' ? 't' : name.trim();
        const [read] = readToolResults(`before ${formatToolResults([{ ...result(value, 'error'), toolName }])} after`);
        expect(read).toMatchObject({ host: 'toolwire', toolName, requestId: 'r1', status: 'error', result: value });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('readToolResults', () => {
  test('reads VCPToolBox’s and AIO Hub’s blocks', () => {
    const text =
      'x [[VCP调用结果信息汇总:\n- 工具名称: Weather\n- 执行状态: ✅ SUCCESS\n- 返回内容: 晴\n第二行\nVCP调用结果结束]] y\n' +
      '[[AIO工具调用结果信息汇总:\n- 工具名称：t_c\n- 执行状态：失败\n- 返回内容：no\nAIO工具调用结果结束]]';
    const results = readToolResults(text);
    expect(results).toMatchObject([
      { host: 'vcptoolbox', toolName: 'Weather', status: 'success', result: '晴\n第二行' },
      { host: 'aiohub', toolName: 't_c', status: 'error', result: 'no' },
    ]);
    expect(text.slice(results[0]!.start, results[0]!.end)).toMatch(/^\[\[VCP[^]*\]\]$/);
  });

  test('puts name and status right where a version swaps them, and takes lines in any order', () => {
    const swapped =
      '[[AIO工具调用结果信息汇总:\n- 工具名称: ERROR\n- 执行状态: t_c\n- 返回内容: x\nAIO工具调用结果结束]]';
    const turned = '[[VCP调用结果信息汇总:\n- 执行状态: SUCCESS\n- 工具名称: t\n- 返回内容: x\nVCP调用结果结束]]';
    expect(readToolResults(swapped + turned)).toMatchObject([
      { toolName: 't_c', status: 'error' },
      { toolName: 't', status: 'success' },
    ]);
  });

  test('leaves out a block that never ends, and any text without one', () => {
    const open = '[[VCP调用结果信息汇总:\n- 工具名称: t\n';
    expect(readToolResults(open)).toEqual([]);
    expect(readToolResults(open + formatToolResults([result('on')]))).toMatchObject([
      { host: 'toolwire', result: 'on' },
    ]);
    expect(readToolResults(call)).toEqual([]);
    fc.assert(fc.property(vcpValue, (text) => Array.isArray(readToolResults(text))));
  });
});
