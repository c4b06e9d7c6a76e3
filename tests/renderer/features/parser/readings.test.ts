/** How the Parser compares readings, and what its report says of them. */
import { expect, it, onTestFinished } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { compareReadings } from '../../../../renderer/features/parser/compareReadings.ts';
import { parseReportText } from '../../../../renderer/features/parser/parseReportText.ts';
import type { ParsedCallView, ParseReport, VcpDialect } from '../../../../src-core/contract/types.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';

const read = (text: string, dialect: VcpDialect = 'standard'): ParseReport & { text: string } => ({
  ...parseVcp(text, { dialect }),
  calls: [],
  text,
});

it('a call that AIO Hub rejects is a difference, with the reason', () => {
  const text =
    '> <<<[TOOL_REQUEST]>>>\n> tool_name:「始」a「末」,\n> command:「始」b「末」\n> <<<[END_TOOL_REQUEST]>>>';
  const [row] = compareReadings([read(text), read(text, 'vcptoolbox'), read(text, 'aiohub')]);
  expect(row!.cells.map(({ calls, rejections, differs }) => [calls.length, rejections, differs])).toEqual([
    [1, [], false],
    [1, [], false],
    [1, ['The host rejects the call: it cannot read the text after the last field.'], true],
  ]);
});

it('the report gives no verdict on the arguments of a call that does not run', () => {
  const error = { code: 'unknown-tool' as const, message: 'no', candidates: ['a_c'] };
  const call: ParsedCallView = {
    request: 0,
    requestId: '1',
    toolName: 'a_b',
    arguments: [{ name: 'city', raw: '北京', valueJson: '"北京"', type: 'string', verdict: 'ok' }],
    argsJson: '{"city":"北京"}',
    resolution: { ok: false, error },
  };
  const report = parseReportText({ ...read(''), calls: [call], reason: 'The text holds no call.' });
  expect(report).toContain('| Argument | As written |\n|---|---|\n| city | 北京 |\n');
  expect(report).not.toContain('valid');
  expect(report).toContain('Dialect: Auto (standard)');
});

it('the report in Chinese has full-width colons', () => {
  setLanguage('zh');
  onTestFinished(() => setLanguage('en'));
  const report = parseReportText(read(''));
  expect(report).toContain('## 解析 · 方言：标准');
  expect(report).toContain('调用：0 · 问题：0');
});

it('the report counts and names the blocks that are not run, as the list of calls does', () => {
  const bad = '<<<[TOOL_REQUEST]>>>\ntool_name：「始」a_c「末」\n<<<[END_TOOL_REQUEST]>>>';
  const good = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>';
  const error = { code: 'unknown-tool' as const, message: 'no' };
  const resolution = { ok: false as const, error };
  const call: ParsedCallView = {
    request: 0,
    requestId: '1',
    toolName: 'a_b',
    arguments: [],
    argsJson: '{}',
    resolution,
  };
  const omitted = { calls: 3, diagnostics: 0, regions: 0, refused: 2 };
  const report = parseReportText({ ...read(`${bad}\n${good}`), calls: [call] });
  expect(report).toContain('Calls: 2 · ');
  expect(report.indexOf('### Not run: a_c')).toBeLessThan(report.indexOf('### 1. a_b'));
  expect(report).toContain('### Not run: a_c');
  expect(parseReportText({ ...read(`${good}\n${bad}`), calls: [call], omitted })).toContain('Calls: 1 of 6');
});
