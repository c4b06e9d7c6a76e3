/** Arguments with numbers that JavaScript would write otherwise, through every way that keeps, copies or sends them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import type { CallReport } from '../../../../src-core/contract/types.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { parseExactly } from '../../../../src-core/base/exactNumber.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { copyCall } from '../../../../src-core/features/calls/copyCall.ts';
import { parseReport } from '../../../../src-core/features/parser/parseReport.ts';
import { exportedFile } from '../../../helpers/chatFileText.ts';
import { openLab } from '../chat/labBench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';

const known = [
  '9007199254740993',
  '-9007199254740993',
  '1e400',
  '-0',
  '1.0',
  '0.123456789012345678901234567890',
  '1E5',
];
const number = fc.oneof(
  fc.constantFrom(...known),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/),
);
/** JSON text of arguments, on one line as `JSON.stringify` writes it. */
const argsJson = fc
  .tuple(number, number, fc.constantFrom('', 'a  b', "it's 1.0"))
  .map(([one, two, text]) => `{"id":${one},"deep":{"list":[${two},${one}]},"text":${JSON.stringify(text)}}`);

const inputSchema = { type: 'object', properties: { id: { type: 'number' }, deep: { type: 'object' } } };

function registered() {
  const toolRegistryManager = createToolRegistryManager();
  const method = { name: 'set', description: '', agentCallable: true, inputSchema, handler: () => null };
  const source = { kind: 'mcp', id: 'lamp', label: 'Lamp' } as const;
  toolRegistryManager.register(defineToolRegistry({ id: 'lamp', name: 'Lamp', source, methods: [method] }));
  return toolRegistryManager;
}

test('copied as VCP, the parser reads the same arguments', async () => {
  const toolRegistryManager = registered();
  await fc.assert(
    fc.asyncProperty(argsJson, async (json) => {
      const text = copyCall({ toolRegistryManager, toolName: 'lamp_set', argsJson: json, form: 'vcp' });
      expect(parseVcp(text).requests).toHaveLength(1);
      const { calls } = await parseReport({ text, dialect: 'standard', toolRegistryManager });
      expect(calls[0]!.argsJson).toBe(json);
    }),
  );
});

test('copied as a frame and as a command they are the same text', () => {
  const toolRegistryManager = registered();
  fc.assert(
    fc.property(argsJson, (json) => {
      const copied = { toolRegistryManager, toolName: 'lamp_set', argsJson: json };
      const frame = parseExactly(copyCall({ ...copied, form: 'json-rpc' })) as { params: JsonObject };
      expect(JSON.stringify(frame.params['arguments'])).toBe(json);
      const command = copyCall({ ...copied, form: 'cli' });
      expect(command).toContain(json.replaceAll("'", "'\\''"));
    }),
  );
});

describe('in a workbench', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwire-exact-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test('the history keeps and finds them, also after a restart', async () => {
    const dataDir = dataFolder();
    const json = `{"n":[${known.join(',')}]}`;
    {
      const { services, close } = await openWorkbench({ dataDir });
      await services.calls.execute({ callId: 'odd', toolName: 'lamp_set', argsJson: json, origin: 'executor' });
      expect(await services.calls.get({ callId: 'odd' })).toMatchObject({ argsJson: json });
      await close();
    }
    const { services } = await openWorkbench({ dataDir });
    expect(await services.calls.history({ limit: 1 })).toMatchObject([{ callId: 'odd', argsJson: json }]);
    const found = await services.calls.search({ text: '0.123456789012345678901234567890', limit: 10 });
    expect(found.rows).toMatchObject([{ callId: 'odd', args: json }]);
  });

  test('a saved call has them in its file, in the form, filled in, and when it runs', async () => {
    const { services, features } = await openWorkbench();
    const { collections, calls } = services;
    const { folder: at } = await collections.create({ folder: join(folder, 'saved'), name: 'Lab' });
    const of = known.join(', ');
    const draft = { name: 'Odd', tool: 'lamp_set', argsJson: `{"n": [${of}], "v": "{{v}}"}`, assertions: [] };
    const saved = await collections.saveCall({ folder: at, draft });
    if (!saved.saved) throw new Error('not saved');
    await collections.saveVariables({ folder: at, variablesJson: '{"v": 1e400}' });
    const { file } = saved;
    const { draft: read } = await collections.call({ folder: at, file });
    await collections.saveCall({ folder: at, file, draft: read });
    const text = readFileSync(join(at, file), 'utf8');
    for (const each of known) expect(text).toMatch(new RegExp(`^ +${each.replace('.', '\\.')},?$`, 'm'));
    const wanted = `{"n":[${known.join(',')}],"v":1e400}`;
    const { argsJson: filled } = await collections.filled({ folder: at, file });
    expect(JSON.stringify(parseExactly(filled))).toBe(wanted);
    const reports: CallReport[] = [];
    for await (const report of features.collections.runCalls({ folder: at })) reports.push(report);
    expect(reports).toMatchObject([{ argsJson: wanted }]);
    expect((await calls.get({ callId: reports[0]!.callId ?? '' })).argsJson).toBe(wanted);
  });
});

test('a chat keeps what a model wrote, tells it back, and has it in its file', async () => {
  const json = `{"n":[${known.join(',')}]}`;
  const native = { id: 'a', name: 'lab_set', argumentsText: json };
  const lab = openLab([{ toolCalls: [native] }]);
  const chat = lab.chat({ protocol: 'native' });
  await lab.turn(chat, 'Go');
  expect(lab.calls(chat)).toMatchObject([{ argsJson: json, askedArgsJson: json }]);
  const { text } = await exportedFile(lab.service.exportChat({ sessionId: chat }));
  const { sessionId } = await lab.service.importChat([text]);
  expect(lab.calls(sessionId)).toMatchObject([{ argsJson: json, askedArgsJson: json }]);
});
