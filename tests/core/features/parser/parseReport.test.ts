import { expect, test } from 'vitest';

import { parseReport } from '../../../../src-core/features/parser/parseReport.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';

const properties = { count: { type: 'integer' }, label: { type: 'string' }, list: { type: 'array' } };

test.each([
  ['count', '3', 'ok'],
  ['count', '"3"', 'converted'],
  ['label', '"3"', 'ok'],
  ['label', '3', 'converted'],
  ['label', '"a\\u0062"', 'ok'],
  ['list', '[1, 2]', 'ok'],
  ['list', '"[1, 2]"', 'converted'],
])(
  'an argument of JSON is shown with its quotes, and as converted only if its type changes: %s %s',
  async (name, literal, verdict) => {
    const toolRegistryManager = createToolRegistryManager();
    const inputSchema = { type: 'object', properties };
    const method = { name: 'roll', description: '', agentCallable: true, inputSchema, handler: () => null };
    toolRegistryManager.register(
      defineToolRegistry({
        id: 'dice',
        name: 'Dice',
        source: { kind: 'module', id: 'dice', label: 'Dice' },
        methods: [method],
      }),
    );
    const text = `<tool_call>{"name":"dice_roll","arguments":{"${name}":${literal}}}</tool_call>`;
    const { calls } = await parseReport({ text, dialect: 'json', toolRegistryManager });
    expect(calls[0]!.arguments.find((each) => each.name === name)).toMatchObject({ raw: literal, verdict });
  },
);
