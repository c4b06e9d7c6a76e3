/** Parameters that a VCP text cannot pass. */
import { expect, it, vi } from 'vitest';

import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { block, pane, useParserPane, window, write } from './parserWindow.ts';

useParserPane();

it('says of a missing parameter that VCP cannot pass it, with the remedy; JSON can', async () => {
  const properties = { 亮度: { type: 'integer' }, 'a b': {}, c: {} };
  const methods = [
    {
      name: 'set',
      description: '',
      agentCallable: true,
      inputSchema: { type: 'object', properties, required: ['亮度'] },
      handler: () => true,
    },
  ];
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({ id: 'dimmer', name: 'Dimmer', source: { kind: 'builtin', id: 'd', label: 'D' }, methods }),
  );
  const problems = () => pane.get('[aria-label="Problems"]').text();
  await write(block(['tool_name', 'dimmer_set'], ['c', '5']));
  await vi.waitUntil(() => problems().includes('VCP cannot pass “亮度”'));
  expect(problems()).toContain('Rename the parameter in the tool, or use native calls or JSON.');
  expect(problems()).not.toContain('a b');
  await write('{"name":"dimmer_set","arguments":{"c":5}}');
  await vi.waitUntil(() => problems().includes('亮度') && !problems().includes('VCP'));
});
