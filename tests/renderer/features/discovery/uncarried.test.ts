import { expect, it, vi } from 'vitest';

import DiscoveryPane from '../../../../renderer/features/discovery/DiscoveryPane.vue';
import PromptTools from '../../../../renderer/features/discovery/PromptTools.vue';
import ToolToggles from '../../../../renderer/features/chat/side/ToolToggles.vue';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const until = <T>(holds: () => T) => vi.waitUntil(holds);

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('warns above the prompt of parameters that VCP cannot pass', async () => {
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'module', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'set',
          description: 'Sets it',
          agentCallable: true,
          inputSchema: { type: 'object', properties: { 亮度: {}, 'a b': {}, level: {}, archery: {} } },
          handler: () => 'set',
        },
      ],
    }),
  );
  const settings = window.use(() => useSettings());
  await until(() => settings.loaded);
  settings.remember('discovery.tool', 'lamp');
  const pane = window.mount(DiscoveryPane);
  await until(() => pane.find('.tool-detail').exists());
  await pane.get('.tool-detail .methods button, .tool-detail [role="option"]').trigger('click');
  const tab = (label: string) => pane.findAll('[role="tab"]').find((each) => each.text().startsWith(label));
  await until(() => tab('Prompt') !== undefined);
  await tab('Prompt')?.trigger('click');
  await until(() => pane.find('[role="tabpanel"] .banner').exists());
  expect(pane.get('[role="tabpanel"] .banner').text()).toContain('VCP cannot pass “亮度”, “a b”, “archery”');
  await tab('Schema')?.trigger('click');
  expect(pane.find('[role="tabpanel"] .banner').exists()).toBe(false);
});

it('does not count a method whose required parameter VCP cannot pass as callable by models, and says why', async () => {
  const inputSchema = { type: 'object', properties: { 城市: { type: 'string' } }, required: ['城市'] };
  const methods = [{ name: 'read', description: '', agentCallable: true, inputSchema, handler: () => 'sun' }];
  const source = { kind: 'module' as const, id: 'sky', label: 'Sky' };
  window.workbench.toolRegistryManager.register(defineToolRegistry({ id: 'sky', name: 'Sky', source, methods }));
  const settings = window.use(() => useSettings());
  await until(() => settings.loaded);
  settings.remember('discovery.tool', 'sky');
  const pane = window.mount(DiscoveryPane);
  await until(() => pane.find('.tool-detail .method').exists());
  expect(pane.get('.tool-detail .sub').text()).toContain('0 callable by models');
  expect(pane.get('.method .about .banner').text()).toContain('VCP cannot pass “城市”');
  settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, protocol: 'json' } });
  await until(() => pane.get('.tool-detail .sub').text().includes('1 callable by models'));
  expect(pane.find('.method .about .banner').exists()).toBe(false);
});

it('says on a card why a method cannot be used, without its name a second time', async () => {
  const error = 'lamp.js:3 method "set" has an unknown field "dangerous". Known fields: name.';
  const methods = [{ name: 'set', description: '', agentCallable: false, inputSchema: {}, error, handler: () => 1 }];
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({ id: 'lamp', name: 'Lamp', source: { kind: 'module', id: 'lamp', label: 'Lamp' }, methods }),
  );
  const pane = window.mount(DiscoveryPane);
  await until(() => pane.find('.card li .error').exists());
  const line = pane.findAll('.card li').find((each) => each.find('.error').exists());
  expect(line?.text()).toMatch(/^set\s*· has an unknown field "dangerous"/);
  expect(pane.get('.card li .error').attributes('title')).toBe(error);
});

it('marks a server that only hosts are offered as not for models, without a switch', async () => {
  const consumers = ['host' as const];
  const methods = [
    { name: 'echo', description: '', agentCallable: true, consumers, inputSchema: {}, handler: () => 1 },
  ];
  const source = { kind: 'mcp' as const, id: 'lab', label: 'lab' };
  window.workbench.toolRegistryManager.register(defineToolRegistry({ id: 'lab', name: 'lab', source, methods }));
  const settings = window.use(() => useSettings());
  await until(() => settings.loaded);
  settings.remember('discovery.tool', 'lab');
  const pane = window.mount(DiscoveryPane);
  await until(() => pane.find('.tool-detail .method').exists());
  expect(pane.get('.tool-detail .mrow').text()).toContain('Not for models');
  expect(pane.find('.tool-detail .detail-head [role="switch"]').exists()).toBe(false);
  const prompted = window.mount(PromptTools, { byTool: [], protocol: 'json' });
  await until(() => prompted.text().includes('Clock'));
  expect(prompted.text()).not.toContain('lab');
  const toggles = window.mount(ToolToggles, { config: {}, protocol: 'json', disabled: false });
  expect(toggles.get('details').text()).toMatch(/lab\s*Not offered to chats/);
  // One that was turned off while models were offered it can be turned on again: hosts need that.
  settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, toolToggles: { lab: false } } });
  await until(() => pane.find('.tool-detail .detail-head [role="switch"]').exists());
});
