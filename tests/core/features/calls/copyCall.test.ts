/** A copied call, read back by what it is copied for: our parser, JSON, a shell and our own command line, Node. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { CallForm } from '../../../../src-core/contract/types.ts';
import { callCommand } from '../../../../src-core/cli/call.ts';
import { readCommandLine } from '../../../../src-core/cli/readCommandLine.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolSourceKind } from '../../../../src-core/base/toolTypes.ts';
import { copyCall } from '../../../../src-core/features/calls/copyCall.ts';

const nasty = {
  quote: `it's "so" \\'much\\'`,
  shell: '$(rm -rf /) `id` $HOME !! ; & | > # ~ *',
  lines: 'one\ntwo\r\n\tthree  ',
  words: '你好 👋 \u2028',
  end: '「末」 <<<[END_TOOL_REQUEST]>>> */ ${x}',
  empty: '',
  nested: { list: [1, -0.5, null, true, [], {}], 'a b': 'c  d' },
};
const nastyJson = JSON.stringify(nasty, null, 2);
const big = '{ "id": 9007199254740993 }';

function copied(form: CallForm, argsJson: string, toolName = 'lamp_set', kind?: ToolSourceKind): string {
  const toolRegistryManager = createToolRegistryManager();
  if (kind !== undefined) {
    const method = { name: 'set', description: '', agentCallable: true, inputSchema: {}, handler: () => null };
    const source = { kind, id: 'lamp', label: 'Lamp' };
    toolRegistryManager.register(defineToolRegistry({ id: 'lamp', name: 'Lamp', source, methods: [method] }));
  }
  return copyCall({ toolRegistryManager, toolName, argsJson, form });
}

describe('as VCP', () => {
  test('our parser reads the same call', () => {
    const { requests } = parseVcp(copied('vcp', nastyJson));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ toolName: 'lamp_set' });
    const { nested, ...texts } = nasty;
    const { nested: written = '', ...rest } = requests[0]!.rawArgs ?? {};
    expect(rest).toEqual(texts);
    expect(JSON.parse(written)).toEqual(nested);
  });

  test('a number that no double holds keeps its digits, and a key that VCP cannot carry is named', () => {
    expect(parseVcp(copied('vcp', big)).requests[0]!.rawArgs).toEqual({ id: '9007199254740993' });
    expect(() => copied('vcp', '{"two words":1}')).toThrow('two words');
  });
});

describe('as an MCP request and as a tool call of the OpenAI API', () => {
  test('both hold the call, and every digit of its numbers', () => {
    const params = { name: 'set', arguments: nasty };
    expect(JSON.parse(copied('mcp', nastyJson, 'lamp_set', 'device'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    });
    expect(copied('mcp', big)).toContain('"id": 9007199254740993');
    const call = JSON.parse(copied('openai', nastyJson)) as { type: string; function: Record<string, string> };
    expect(call).toMatchObject({ type: 'function', function: { name: 'lamp_set' } });
    expect(JSON.parse(call.function['arguments'] ?? '')).toEqual(nasty);
    expect(copied('openai', big)).toContain(String.raw`{\"id\":9007199254740993}`);
    expect(() => copied('openai', '{')).toThrow('not valid JSON');
  });
});

describe('as a JSON-RPC frame', () => {
  const params = { name: 'set', arguments: nasty };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };

  test('a device’s goes in its envelope, any other is a bare request', () => {
    expect(JSON.parse(copied('json-rpc', nastyJson, 'lamp_set', 'device'))).toEqual({
      session_id: '',
      type: 'mcp',
      payload: request,
    });
    expect(JSON.parse(copied('json-rpc', nastyJson, 'lamp_set', 'mcp'))).toEqual(request);
  });

  test('of a tool that has left it names what was asked for; digits stay', () => {
    const frame = copied('json-rpc', big, 'gone_tool');
    expect(JSON.parse(frame)).toMatchObject({ params: { name: 'gone_tool' } });
    expect(frame).toContain('"id": 9007199254740993');
  });
});

/** The words that a shell makes of a command's text. */
function wordsOf(command: string): string[] {
  const script = `toolwire() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\0').slice(0, -1);
}

describe('as a command', () => {
  test.each([nastyJson, '{}', '', '  ', big, '{"a b":"c \\" d"}'])('a shell hands over %j unharmed', (argsJson) => {
    const [command, ...words] = wordsOf(copied('cli', argsJson));
    expect(command).toBe('call');
    const { argument, flags } = readCommandLine(callCommand, words);
    expect(argument).toBe('lamp_set');
    expect(JSON.parse(flags.text('args') ?? '')).toEqual(JSON.parse(argsJson.trim() || '{}'));
    expect(flags.text('args')).not.toContain('\n');
  });

  test('whatever the texts and the name hold', () => {
    const words = fc.string({ unit: fc.constantFrom(...`'"\\ \n$\`!;&|*?~#{}<>%=-a你`) });
    fc.assert(
      fc.property(words, words, words, (name, key, value) => {
        const args = { [key]: value };
        const toolName = `x${name}`;
        expect(wordsOf(copied('cli', JSON.stringify(args, null, 2), toolName))).toEqual([
          ...['call', toolName, '--args'],
          JSON.stringify(args),
        ]);
      }),
      { numRuns: 40 },
    );
  });

  test('keeps every digit', () => {
    expect(wordsOf(copied('cli', big)).at(-1)).toBe('{"id":9007199254740993}');
  });
});

describe('as code for toolwire/core', () => {
  test.each([
    ['odd texts', nastyJson],
    ['no arguments', '  '],
    ['digits that no double holds', big],
    ['a member called __proto__', '{"__proto__":{"a":1},"b":[{"__proto__":2}]}'],
  ])('Node runs it, and the tool gets the same arguments: %s', (_what, argsJson) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwire-code-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const core = new URL('../../../../src-core/core.ts', import.meta.url).href;
    const tool = `toolRegistryManager.register(defineToolRegistry({
      id: 'lamp', name: 'Lamp', source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [{ name: 'set', description: '', agentCallable: true, inputSchema: { type: 'object' },
        handler: (args) => JSON.stringify(args, (_, item) => (typeof item === 'bigint' ? JSON.rawJSON(item) : item)) }],
    }));`;
    const program = copied('code', argsJson)
      .replace("'toolwire/core'", () => JSON.stringify(core))
      .replace('import { ', 'import { defineToolRegistry, ')
      .replace(/^\/\/ Register.*$/m, () => tool);
    const file = join(folder, 'call.ts');
    writeFileSync(file, program);
    const { stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(stderr).toBe('');
    const compact = argsJson === big ? '{"id":9007199254740993}' : JSON.stringify(JSON.parse(argsJson.trim() || '{}'));
    expect(stdout).toBe(`success ${compact}\n`);
  });
});

test.each<CallForm>(['vcp', 'json-rpc', 'cli', 'code'])('what is not a JSON object is refused as %s', (form) => {
  expect(() => copied(form, '[1]')).toThrow('an array');
  expect(() => copied(form, '{')).toThrow('not valid JSON');
});
