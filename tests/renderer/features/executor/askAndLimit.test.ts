import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import MethodDetail from '../../../../renderer/features/discovery/MethodDetail.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const method = (name: string, danger?: string) => ({
  name,
  description: name,
  agentCallable: true,
  inputSchema: { type: 'object' as const },
  ...(danger !== undefined && { danger }),
});

let window: TestWindow;
let pane: VueWrapper;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        { ...method('on'), handler: () => 'bright' },
        { ...method('off', 'Cuts the power.'), handler: () => 'dark' },
        {
          ...method('wait'),
          handler: (_args, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            }),
        },
      ],
    }),
  );
  window.workbench.toolRegistryManager.register({
    id: 'camera',
    name: 'Camera',
    source: { kind: 'builtin', id: 'camera', label: 'Camera' },
    getMetadata: () => ({ methods: [method('look')] }),
    invoke: () =>
      Promise.resolve({
        value: 'Too dark.',
        isError: true,
        content: [
          { type: 'text', text: 'Too dark.' },
          { type: 'image', data: png, mimeType: 'image/png' },
          { type: 'resource', uri: 'file:///log.txt', text: 'exposure 0' },
        ],
      }),
  });
  const settings = window.use(() => useSettings());
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => settings.loaded && tools.find('camera_look') !== undefined);
});
afterEach(async () => {
  await window.use(() => useSettings()).flush();
  setLanguage('en');
});

const executor = () => window.use(() => useExecutor());
const saved = () => window.connection.client.settings.get();
const askSwitch = () => pane.get('[role="switch"][aria-label="Ask before running"]');
function show(qualifiedName: string): void {
  executor().open(qualifiedName);
  pane = window.mount(ExecutorPane);
}
const button = (name: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent).trim().startsWith(name),
  );
/** Opens the menu beside the limit and chooses there. */
async function choose(word: string): Promise<void> {
  pane.get('.whose button').element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  const item = await vi.waitUntil(() => button(word));
  item.click();
  await nextTick();
}

describe('the time limit of a call', () => {
  const whose = () => pane.get('.whose button').text();
  const field = () => pane.get<HTMLInputElement>('input[aria-label="Timeout"]');

  it('says whose it is, is kept for the tool and given back', async () => {
    show('lamp_on');
    await nextTick();
    expect([whose(), field().attributes('placeholder')]).toEqual(['default', '30']);
    await field().setValue('2.5');
    expect(whose()).toBe('this call');
    await choose('Keep 2.5 s for this tool');
    expect([whose(), field().element.value, field().attributes('placeholder')]).toEqual(['this tool', '', '2.5']);
    await window.use(() => useSettings()).flush();
    expect((await saved()).toolTimeouts).toEqual({ lamp_on: 2_500 });
    executor().open('lamp_wait');
    await nextTick();
    expect(whose()).toBe('default');
    executor().open('lamp_on');
    await nextTick();
    await choose('Use the default timeout, 30 s');
    await window.use(() => useSettings()).flush();
    expect((await saved()).toolTimeouts).toEqual({});
  });

  it('of a tool holds for the next call, and what was written is not for the next tool', async () => {
    window.use(() => useSettings()).change({ toolTimeouts: { lamp_wait: 30 } });
    show('lamp_on');
    await nextTick();
    await field().setValue('9');
    executor().open('lamp_wait');
    await nextTick();
    expect(field().element.value).toBe('');
    button('Run')?.click();
    await vi.waitUntil(() => pane.text().includes('Timed out'));
    expect(executor().shown?.timeoutMs).toBe(30);
  });

  it('counts only once a call is out at a device that takes one after the other', async () => {
    let goOut = (): void => {};
    window.workbench.toolRegistryManager.register({
      id: 'busy',
      name: 'Busy',
      source: { kind: 'device', id: 'busy', label: 'Busy' },
      queued: true,
      getMetadata: () => ({ methods: [method('move')] }),
      invoke: (_name, _args, { signal, onStart }) =>
        new Promise((_resolve, reject) => {
          goOut = () => onStart?.();
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.find('busy_move') !== undefined);
    show('busy_move');
    button('Run')?.click();
    await vi.waitUntil(() => pane.get('.result').text().includes('Queued'));
    await pane.get('.wire-bar').trigger('click');
    await vi.waitUntil(() => pane.get('.drawer-wire').text().includes('No frame has been sent yet.'));
    goOut();
    await vi.waitUntil(() => /\d\.\d \/ 30 s/.test(pane.get('.result').text()));
    button('Cancel')?.click();
    await vi.waitUntil(() => pane.get('.result').text().includes('Cancelled'));
  });

  it('leaves the last result in view while a call has just started', async () => {
    let finish: (value: string) => void = () => undefined;
    window.workbench.toolRegistryManager.register({
      id: 'slow',
      name: 'Slow',
      source: { kind: 'builtin', id: 'slow', label: 'Slow' },
      getMetadata: () => ({ methods: [method('go')] }),
      invoke: () => new Promise((resolve) => (finish = (value) => resolve({ value }))),
    });
    await vi.waitUntil(() => window.use(() => useTools()).find('slow_go') !== undefined);
    show('slow_go');
    const result = () => pane.get('.result');
    const answer = async (value: string): Promise<void> => {
      await vi.waitUntil(() => (finish(value), result().text().includes(value)));
    };
    button('Run')?.click();
    await answer('bright');
    const before = executor().shown?.callId;
    button('Run')?.click();
    expect(executor()).toMatchObject({ busy: true, isStale: true, shown: { callId: before } });
    await nextTick();
    expect(pane.classes()).toContain('held');
    expect(result().text()).toContain('bright');
    // One that takes longer does not leave in view what is not its own.
    await vi.waitUntil(() => !executor().isStale);
    expect(result().text()).not.toContain('bright');
    await answer('dark');
  });

  it('shows how much of it is gone, and leads to all limits', async () => {
    show('lamp_wait');
    button('Run')?.click();
    await vi.waitUntil(() => /\d\.\d \/ 30 s/.test(pane.get('.result').text()));
    button('Cancel')?.click();
    await vi.waitUntil(() => pane.get('.result').text().includes('Cancelled'));
    await choose('All timeouts in Settings');
    expect(window.use(() => useNavigation()).pane).toBe('settings');
  });
});

describe('asking first', () => {
  it('is switched on for a tool, which then asks with its reason, and off again', async () => {
    show('lamp_on');
    await askSwitch().trigger('click');
    await window.use(() => useSettings()).flush();
    expect((await saved()).dangerousTools).toEqual(['lamp_on']);
    expect(pane.get('.tool-line').text()).toContain('Asks first');
    button('Run')?.click();
    await vi.waitUntil(() => document.body.textContent.includes('It is on your list of tools that ask first.'));
    button('Cancel')?.click();
    await askSwitch().trigger('click');
    await window.use(() => useSettings()).flush();
    expect((await saved()).dangerousTools).toEqual([]);
    expect(pane.get('.tool-line').text()).not.toContain('Asks first');
  });

  it('shows what the call would be made with', async () => {
    executor().open('lamp_off', '{"rooms":["hall"]}');
    pane = window.mount(ExecutorPane);
    button('Run')?.click();
    const dialog = await vi.waitUntil(() => document.querySelector('[role="alertdialog"]'));
    await vi.waitUntil(() => dialog.textContent.includes('"hall"'));
    button('Cancel')?.click();
    await nextTick();
  });

  it('cannot be switched off if its source says so, or if a pattern names it', async () => {
    show('lamp_off');
    await nextTick();
    expect(askSwitch().attributes()).toMatchObject({
      'aria-checked': 'true',
      'aria-description': 'Built in: always asks.',
    });
    expect(askSwitch().attributes('disabled')).toBeDefined();
    await window.connection.client.settings.set({ dangerousTools: ['lamp_o*'] });
    executor().open('lamp_on');
    const why = () => askSwitch().attributes('aria-description');
    await vi.waitUntil(() => why() === 'Matches lamp_o*. Change the list in Settings.');
    expect(askSwitch().attributes('disabled')).toBeDefined();
  });

  it('is shown with its reason in Discovery, in both languages', async () => {
    await window.connection.client.settings.set({ dangerousTools: ['lamp_o*'] });
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.find('lamp_off')?.method.asksFirst?.patterns.length === 1);
    const found = tools.find('lamp_off');
    const detail = window.mount(MethodDetail, { tool: found?.tool, method: found?.method, gone: false });
    expect(detail.text()).toContain(
      'Asks firstCuts the power. It matches lamp_o* on your list of tools that ask first.',
    );
    expect(detail.text()).toContain('Built in: always asks.');
    setLanguage('zh');
    await nextTick();
    expect(detail.text()).toContain('与你的“运行前询问”列表中的 lamp_o* 匹配。');
  });
});

describe('an answer that is an error', () => {
  it('shows every part of what came with it, its words once', async () => {
    show('camera_look');
    button('Run')?.click();
    await vi.waitUntil(() => pane.text().includes('Tool output'));
    expect(pane.get('.error-view img').attributes('src')).toBe(`data:image/png;base64,${png}`);
    expect(pane.get('.error-view').text()).toContain('exposure 0');
    expect(pane.get('.error-view').text().split('Too dark.')).toHaveLength(2);
    const tabs = pane.findAll('.result [role="tab"]');
    expect(tabs.map((tab) => tab.text())).toEqual(['Error', 'Text', expect.stringMatching(/^Content/), 'Raw']);
    await tabs.at(-1)?.trigger('click');
    expect(pane.find('.error-view').exists()).toBe(false);
    expect(pane.get('.result').text()).toContain('"content"');
  });
});
