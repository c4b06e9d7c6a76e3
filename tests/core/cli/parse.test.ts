import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { runCli, runProcess, startCli } from './cliProcess.ts';

const good = [
  'A little darker then. 灯',
  '<<<[TOOL_REQUEST]>>>',
  'tool_name:「始」lamp_set「末」,',
  'level:「始」50「末」',
  '<<<[END_TOOL_REQUEST]>>>',
  '',
].join('\n');
const broken = `${good}灯\t灯 <<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n`;

function fileWith(content: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-parse-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'reply.txt'), content);
  return join(dir, 'reply.txt');
}

test('a file with one good call', async () => {
  expect(await runCli(['parse', fileWith(good)])).toEqual({
    code: 0,
    out: '1 call (dialect standard)\nTool names and arguments are not checked.\n\n1. line 2: lamp_set\n     level = "50"\n',
    err: '',
  });
});

test.each([[['parse']], [['parse', '-']]])('%j reads standard input', async (args) => {
  expect(await runProcess(args, good)).toMatchObject({ code: 0, out: expect.stringContaining('1. line 2: lamp_set') });
});

test.each(['a file', 'a pipe', 'standard input'])(
  '%s of more than 20 MB is refused, and not gathered',
  async (kind) => {
    const endless = process.platform === 'win32' ? undefined : '/dev/zero';
    const file = fileWith(' '.repeat(20_000_001));
    const named = kind === 'a file' ? file : kind === 'a pipe' ? endless : '-';
    if (named === undefined) return;
    const { code, out, err } = await runProcess(
      ['parse', named],
      kind === 'standard input' ? ' '.repeat(20_000_001) : '',
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const name = named === '-' ? 'Standard input' : named;
    expect(err).toBe(`toolwire: ${name} has more than 20,000,000 bytes. Pass a shorter text.\n`);
  },
);

test('an error is shown under its line, with carets that allow for wide characters, and ends with 1', async () => {
  const { code, out } = await runCli(['parse'], broken);
  expect(code).toBe(1);
  expect(out).toMatch(/^1 call, 1 error/);
  expect(out).toMatch(/error unclosed-block at 6:5: /);
  expect(out).toContain('  6 | 灯 灯 <<<[TOOL_REQUEST]>>>\n    |       ^^^^^^^^^^^^^^^^^^^^\n');
});

test('--json is the parser’s own report', async () => {
  const { code, out } = await runCli(['parse', '--json'], broken);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    dialect: 'standard',
    length: broken.length,
    requests: [{ toolName: 'lamp_set', args: { level: '50' } }],
    diagnostics: [{ code: 'unclosed-block', severity: 'error' }],
  });
});

test('another dialect is named in the report', async () => {
  expect(await runCli(['parse', '--dialect', 'vcptoolbox'], good)).toMatchObject({
    code: 0,
    out: expect.stringContaining('(dialect vcptoolbox)'),
  });
});

test('text without calls, and no text at all, are fine', async () => {
  expect(await runCli(['parse'], 'just prose')).toEqual({ code: 0, out: '0 calls (dialect standard)\n', err: '' });
  expect(await runCli(['parse'], '')).toMatchObject({ code: 0 });
});

test('what a model wrote cannot steer the terminal', async () => {
  const { out } = await runCli(
    ['parse'],
    good.replace('50', 'a\u001b[2Jb\u009bc\u202ed').replace('lamp_set', 'l\u001b]0;x\u0007amp'),
  );
  expect(out).not.toMatch(/[\u001b\u009b\u0007\u202e]/);
});

test('a file that is not there, and a folder, are named', async () => {
  expect(await runCli(['parse', '/no/such/file'])).toEqual({
    code: 1,
    out: '',
    err: 'toolwire: /no/such/file cannot be read: there is no such file; check the path.\n',
  });
  expect((await runCli(['parse', tmpdir()])).err).toContain('it is a folder');
});

test('waiting for standard input ends with a signal', async () => {
  const { child, ended } = startCli(['parse']);
  child.stdin.write('half a text');
  child.kill('SIGINT');
  expect((await ended).code).not.toBe(0);
});

test('the text form ends after 500 remarks; the exit code and --json count all of them', async () => {
  const file = fileWith('<<<[TOOL_REQUEST]>>>\n'.repeat(2_000) + broken.slice(good.length));
  const { code, out } = await runCli(['parse', file]);
  const { diagnostics } = JSON.parse((await runCli(['parse', '--json', file])).out) as { diagnostics: unknown[] };
  expect(code).toBe(1);
  expect(diagnostics.length).toBe(2_001);
  expect(out.match(/^(?:error|warning|info) \S+ at /gm)).toHaveLength(500);
  expect(out).toMatch(/^0 calls, 1 error, 2000 warnings/);
  expect(out).toMatch(/\n1,501 more remarks are not shown\.\n$/);
});

test.each([
  ['blocks', () => good.repeat(501), 1],
  ['serial calls', () => serial(99).repeat(6), 94],
])('the text form ends after 500 calls in %s', async (_, text, more) => {
  const { code, out } = await runCli(['parse', fileWith(text())]);
  expect({ code, first: /^\d+ calls/.exec(out)?.[0] }).toEqual({ code: 0, first: `${500 + more} calls` });
  expect(out.match(/^ {5}level = /gm)).toHaveLength(500);
  expect(out).toContain(`\n${more} more call${more === 1 ? ' is' : 's are'} not shown.\n`);
});

function serial(count: number): string {
  const calls = Array.from(
    { length: count },
    (_, at) => `command${at + 1}:「始」set「末」,\nlevel${at + 1}:「始」50「末」`,
  );
  return `<<<[TOOL_REQUEST]>>>\ntool_name:「始」lamp_set「末」,\n${calls.join(',\n')}\n<<<[END_TOOL_REQUEST]>>>\n`;
}
