/** Calls by hand as a model's or without the schema check, refusals, and names that mean no usable method. */
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import type { JsonObject } from '../../../../src-core/contract/types.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { toToolRegistry } from '../../../../src-core/registry/objectTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

/** The machine may be busy: nothing here measures time. */
const until = <T>(condition: () => T) => vi.waitUntil(condition);

let window: TestWindow;
let pane: VueWrapper;
const given: JsonObject[] = [];
/** Its code is too long for the window to match it: only the engine rejects it. */
const longCode = JSON.stringify({ level: 50, code: 'b'.repeat(4_001) });

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  given.length = 0;
  const handler = (args: JsonObject): JsonObject | string => {
    given.push(args);
    if (args['level'] === 500 || args['code'] !== undefined) throw new Error('The lamp broke.');
    return args['note'] === 'echo' ? args : 'set';
  };
  const inputSchema = {
    type: 'object',
    properties: {
      level: { type: 'integer', maximum: 100 },
      note: { type: 'string' },
      code: { type: 'string', pattern: '^a+$' },
    },
    required: ['level'],
  };
  const method = { description: 'Sets the lamp', agentCallable: true, inputSchema, handler };
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        { ...method, name: 'set' },
        { ...method, name: 'own', agentCallable: false },
        { ...method, name: 'burn', danger: 'Burns the lamp out.' },
      ],
    }),
  );
  const tools = window.use(() => useTools());
  await until(() => tools.find('lamp_set') !== undefined);
  await until(() => window.use(() => useSettings()).loaded);
});
afterEach(async () => {
  await window.use(() => useSettings()).flush();
});

const store = () => window.use(() => useExecutor());
const commands = () => window.use(() => useCommandStore());

function show(qualifiedName: string, argsJson = '{}'): void {
  window.use(() => useSandbox()).load({ qualifiedName, argsJson });
  pane = window.mount(ExecutorPane, {});
}

async function press(name: string): Promise<void> {
  const found = await until(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"], [role="radio"]')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
    ),
  );
  found.click();
}

/** Opens the menu beside Run, as a key does: a click of jsdom opens no menu. */
async function choose(item: string): Promise<void> {
  const button = document.querySelector<HTMLElement>('[aria-label="More ways to run"]');
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await press(item);
}

const result = () => pane.get('[aria-label="Result"]').text();
const rows = () => pane.findAll('.item').map((row) => row.text());

it("runs a call as a model's from the menu beside Run: text is converted, and the arguments are shown as sent", async () => {
  show('lamp_set', '{"level": "50", "note": 7}');
  await choose('Run as a model');
  await until(() => result().includes('The tool received these arguments:'));
  expect(given).toEqual([{ level: 50, note: '7' }]);
  expect(result()).toContain('As a model');
  expect(pane.get('.rules-note').text()).toContain('"level": 50');
  expect(result()).not.toContain('Called with other arguments');
  await until(() => rows().length === 1);
  expect(rows()[0]).toContain('As a model');
});

it('says so if a model’s call needed no conversion, and what the history has of it', async () => {
  show('lamp_set', '{"level": 50}');
  commands().run('executor.runAsModel');
  await until(() => result().includes('No argument needed conversion.'));
  await until(() => rows().length === 1);
  pane.get<HTMLElement>('.item .pick').element.click();
  await until(() => store().selected?.rules === 'model');
  await until(() => result().includes('Called as a model.'));
  expect(result()).not.toContain('needed conversion');
});

it('refuses as a model what models may not call, with the reason in the history, and runs it by hand', async () => {
  show('lamp_own', '{"level": 1}');
  commands().run('executor.runAsModel');
  await until(() => result().includes('Not callable by models'));
  expect(result()).toContain('As a model');
  await until(() => rows().length === 1);
  expect(rows()[0]).toMatch(/As a model · Not callable by models/);
  expect(pane.findAll('.btn.primary').map((button) => button.text())).toEqual(['Run yourself']);
  await press('Run as a model again');
  await until(() => rows().length === 2);
  expect(given).toEqual([]);
  await press('Run yourself');
  await until(() => given.length === 1);
  await until(() => !result().includes('As a model'));
});

it('names the switch that refuses a model’s call: the tool’s, or that of tool calling', async () => {
  const settings = window.use(() => useSettings());
  const { toolCallConfig } = settings.current;
  settings.change({ toolCallConfig: { ...toolCallConfig, toolToggles: { lamp: false } } });
  await settings.flush();
  show('lamp_set', '{"level": 1}');
  commands().run('executor.runAsModel');
  await until(() => result().includes('Turn it on in Discovery.'));
  settings.change({ toolCallConfig: { ...toolCallConfig, enabled: false } });
  await settings.flush();
  await press('Run as a model again');
  await until(() => result().includes('Turn it on in Settings → Tool calling.'));
  expect(result()).toContain('Tool calling is off, so models cannot call tools.');
  expect(given).toEqual([]);
});

it('sends what the schema refuses if asked to, and says that it was not checked', async () => {
  show('lamp_set', '{"level": 5}');
  expect(commands().reasonOf('executor.sendAnyway')).toBe('The arguments match the schema.');
  store().text = '{"level": 500}';
  expect(commands().reasonOf('executor.sendAnyway')).toBeUndefined();
  store().text = longCode;
  expect(commands().reasonOf('executor.sendAnyway')).toBe('The arguments match the schema.');
  await until(() => pane.get('.run').attributes('aria-disabled') === undefined);
  await pane.get('.run').trigger('click');
  await until(() => result().includes('Invalid arguments'));
  // They are marked in the form, and named beside it.
  expect(pane.get('.arguments').text()).toContain('does not match the pattern');
  expect(result()).toContain('does not match the pattern');
  expect(given).toEqual([]);
  expect(commands().reasonOf('executor.sendAnyway')).toBeUndefined();
  await press('Send anyway');
  await until(() => result().includes('The lamp broke.'));
  expect(given).toEqual([JSON.parse(longCode)]);
  expect(result()).toContain('Not validated');
  expect(result()).toContain('Schema validation was skipped for this call.');
  await until(() => rows().length === 2);
  expect(rows()[0]).toContain('Not validated');
  expect(rows()[1]).toContain('Invalid arguments');

  await press('Send again without validation');
  await until(() => given.length === 2);
  await until(() => result().includes('The lamp broke.'));
  store().text = '{"level": 400}';
  const again = await until(() => pane.findAll('.error-view button').find((one) => one.text() === 'Run again'));
  expect(again.attributes('aria-disabled')).toBe('true');
});

it('cannot run again with arguments that are not JSON, and states why', async () => {
  show('lamp_set', '{"level": 500}');
  await choose('Send anyway, without schema validation');
  await until(() => result().includes('The lamp broke.'));
  store().text = '{"level": ';
  const again = await until(() => pane.findAll('.error-view button').find((one) => one.text() === 'Run again'));
  expect(again.attributes('aria-disabled')).toBe('true');
  await again.trigger('click');
  expect(given).toHaveLength(1);
  expect(store().hindranceOf()).toBe('The arguments are not valid JSON.');
});

it('shows cURL disabled, with the reason, for a tool that hosts are not offered', async () => {
  show('lamp_own', '{"level": 50}');
  const button = await until(() => pane.findAll('button').find((one) => one.text() === 'Copy as'));
  await until(() => commands().reasonOf('executor.copyCurl') !== undefined);
  await button.trigger('keydown', { key: 'Enter' });
  const item = await until(() =>
    [...document.querySelectorAll('[role="menuitem"]')].find((one) => one.textContent.startsWith('cURL')),
  );
  expect(item.textContent).toBe('cURLNot offered to hosts');
  expect(item.getAttribute('aria-disabled')).toBe('true');
});

it('shows the VCP request disabled, with the reason, for a method whose required parameter VCP cannot pass', async () => {
  const properties = { 城市: { type: 'string' }, command: { type: 'string' } };
  const methods = [['城市'], [], ['command']].map((required, index) => {
    const inputSchema = { type: 'object', properties, required };
    return { name: `read${index}`, description: '', agentCallable: true, inputSchema, handler: () => 'sun' };
  });
  const source = { kind: 'builtin' as const, id: 'sky', label: 'Sky' };
  window.workbench.toolRegistryManager.register(defineToolRegistry({ id: 'sky', name: 'Sky', source, methods }));
  await until(() => window.use(() => useTools()).find('sky_read0') !== undefined);
  show('sky_read0');
  await until(() => commands().reasonOf('executor.copyVcp') === 'VCP cannot pass “城市”');
  // An optional one need not be sent.
  window.use(() => useSandbox()).load({ qualifiedName: 'sky_read1', argsJson: '{}' });
  await until(() => commands().reasonOf('executor.copyVcp') === undefined);
  // VCP uses this key itself.
  window.use(() => useSandbox()).load({ qualifiedName: 'sky_read2', argsJson: '{}' });
  await until(() => commands().reasonOf('executor.copyVcp') === 'VCP cannot pass “command”');
});

it('offers cURL as soon as the tool is registered again for hosts', async () => {
  const register = (agentCallable: boolean) =>
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'horn',
        name: 'Horn',
        source: { kind: 'builtin', id: 'horn', label: 'Horn' },
        methods: [
          { name: 'blow', description: '', agentCallable, inputSchema: { type: 'object' }, handler: () => 'done' },
        ],
      }),
    );
  const unregister = register(false);
  const blow = () => window.use(() => useTools()).find('horn_blow')?.method;
  await until(() => blow() !== undefined);
  show('horn_blow');
  await until(() => commands().reasonOf('executor.copyCurl') !== undefined);
  unregister();
  register(true);
  await until(() => blow()?.agentCallable === true);
  await until(() => commands().reasonOf('executor.copyCurl') === undefined);
  expect(commands().reasonOf('executor.copyCurl')).toBeUndefined();
});

it('does not say that hosts are not offered the tool if the engine could not be asked', async () => {
  const reconnect = window.cut();
  await until(() => window.connection.state.value.phase !== 'connected');
  show('lamp_own', '{"level": 50}');
  await expect(window.connection.client.hosts.state()).rejects.toThrow('not connected');
  await flushPromises();
  expect(commands().reasonOf('executor.copyCurl')).toBeUndefined();
  reconnect();
  await until(() => window.connection.state.value.phase === 'connected');
});

it('has the blue button where the next step is: in the error, or at Run once other arguments are needed', async () => {
  show('lamp_set', '{"level": 500}');
  const blue = () => pane.findAll('.btn.primary').map((button) => button.text().split('Ctrl')[0]?.trim());
  await choose('Send anyway, without schema validation');
  await until(() => result().includes('The lamp broke.'));
  expect(blue()).toEqual(['Use 100']);
  expect(result()).toContain('Send again without validation');
  await press('Use 100');
  expect(store().text).toContain('100');
  expect(blue()).toEqual(['Run']);
  store().text = longCode;
  await until(() => result().includes('Run again'));
  expect(blue()).toEqual(['Run']);
  await pane.get('.run').trigger('click');
  await until(() => result().includes('Invalid arguments'));
  expect(blue()).toEqual(['Run']);
  store().text = '{"level": 50}';
  await until(() => result().includes('Run again'));
  expect(blue()).toEqual(['Run']);
});

it('asks before a dangerous call also without the schema check, and keeps a no in the history', async () => {
  show('lamp_burn', '{"level": 400}');
  await choose('Send anyway, without schema validation');
  await press('Cancel');
  await until(() => result().includes('The call was not approved'));
  expect(given).toEqual([]);
  await until(() => rows().length === 1);
  expect(rows()[0]).toMatch(/Not validated · The call was not approved/);
  await press('Send again without validation');
  await press('Approve');
  await until(() => given.length === 1);
});

it('repeats as a model or, after showing what the schema refuses, without the check', async () => {
  show('lamp_set', '{"level": 400}');
  commands().run('executor.repeat');
  await until(() => document.querySelector('.misfits'));
  expect(document.querySelector('.misfits')?.textContent).toContain('400 is above the maximum, 100.');
  await press('Send 10 times anyway');
  await until(() => given.length === 10);
  await until(() => rows().length === 1 && result().includes('Not validated'));
  expect(rows()[0]).toContain('Not validated');
  expect(pane.get('.item').classes()).toContain('sel');

  store().text = '{"level": "7"}';
  commands().run('executor.repeat');
  await press('As a model');
  await until(() => !document.querySelector('.misfits'));
  await press('Run 10 times');
  await until(() => given.length === 20);
  expect(given.at(-1)).toEqual({ level: 7 });
  await until(() => result().includes('As a model'));
});

it('runs a name that no tool has, and shows the error of its callers with the nearest names', async () => {
  show('lamp_sett');
  await until(() => pane.text().includes('Did you mean'));
  await pane.get('.run').trigger('click');
  await until(() => result().includes('Unknown method'));
  expect(pane.get('.error-view').text()).toContain('lamp_set');
  expect(
    pane
      .get('.error-view')
      .text()
      .match(/Did you mean/g),
  ).toHaveLength(1);
  await until(() => rows().length === 1);
  expect(rows()[0]).toContain('Unknown method');
});

it('shows the name of an unusable method and its error apart', async () => {
  const odd = { id: 'odd', name: 'Odd', getMetadata: () => ({ methods: [{ name: 'lost', description: 'Is lost' }] }) };
  window.workbench.toolRegistryManager.register(toToolRegistry(odd));
  await until(() => window.use(() => useTools()).find('odd_lost') !== undefined);
  show('odd_lost');
  expect(pane.get('.tool-line h1').text()).toBe('odd_lost');
  expect(pane.get('.tool-line').text()).toContain('Unusable');
  expect(pane.get('.tool-line').text()).not.toContain('has no function');
  expect(pane.get('.fault').text()).toContain('The tool has no function "lost".');
  expect(pane.get('.arguments').text()).not.toContain('Valid');
  expect(pane.get('.arguments').text()).not.toContain('No arguments');
  expect(commands().reasonOf('executor.run')).toContain('has no function');
});

it('formats the JSON without touching its numbers, and not while it cannot be read', async () => {
  show('lamp_set', '{"level":50,"note":"a,b","big":12345678901234567890.10}');
  store().mode = 'json';
  await press('Format');
  expect(store().text).toBe('{\n  "level": 50,\n  "note": "a,b",\n  "big": 12345678901234567890.10\n}');
  store().text = '{"level":';
  await until(() => commands().reasonOf('executor.format') === 'The arguments are not valid JSON.');
  store().mode = 'form';
});

it('saves a call with an assertion on the value of a line of its result', async () => {
  show('lamp_set', '{"level": 50, "note": "echo"}');
  commands().run('executor.run');
  await until(() => pane.findAll('.json-row').length > 2);
  await pane.findAll('.json-row')[1]?.trigger('click');
  await press('Add assertion');
  const dialog = await until(() => document.querySelector('[role="dialog"] [aria-label="JSON path"]'));
  expect((dialog as HTMLInputElement).value).toBe('$.level');
  const value = document.querySelector<HTMLInputElement>('[role="dialog"] section input:not([aria-label="JSON path"])');
  expect(value?.value).toBe('50');
  // Why it cannot be saved yet is said beside the button.
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('collection');
});
