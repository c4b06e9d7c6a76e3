/** What the tests of the Parser pane share. */
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { defineComponent, h, provide } from 'vue';

import { editorLoaderKey } from '../../../../renderer/ui/editor/loadMonaco.ts';
import ParserPane from '../../../../renderer/features/parser/ParserPane.vue';
import { useParser } from '../../../../renderer/features/parser/parserStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';

export const block = (...fields: [string, string][]): string =>
  [
    '<<<[TOOL_REQUEST]>>>',
    ...fields.map(([key, value]) => `${key}:「始」${value}「末」`),
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');

export const colon =
  '<<<[TOOL_REQUEST]>>>\ntool_name：「始」lamp_set「末」\nlevel:「始」5「末」\n<<<[END_TOOL_REQUEST]>>>';

/** The pane before its editor has loaded: the plain text area does the same. */
const PlainPane = defineComponent({
  setup() {
    provide(editorLoaderKey, () => new Promise(() => undefined));
    return () => h(ParserPane);
  },
});

/** Of the test that runs. */
export let window: TestWindow;
export let pane: VueWrapper;
let undoLayout: () => void;
/** The arguments that the lamp was called with. */
export const ran: unknown[] = [];

/** Opens a window with the pane and a lamp before each test of a file, and closes it after it. */
export function useParserPane(): void {
  beforeEach(async () => {
    ran.length = 0;
    undoLayout = giveLayout();
    window = await openWindow();
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'lamp',
        name: 'Lamp',
        source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
        methods: [
          {
            name: 'set',
            description: 'Sets',
            agentCallable: true,
            inputSchema: {
              type: 'object',
              properties: { level: { type: 'integer', maximum: 100 } },
              required: ['level'],
            },
            handler: (args) => ran.push(args),
          },
          {
            name: 'read',
            description: 'Reads',
            agentCallable: true,
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', properties: { level: { type: 'integer' } } },
            handler: () => ({ level: 'six' }),
          },
          {
            name: 'fail',
            description: 'Fails',
            agentCallable: true,
            inputSchema: { type: 'object' },
            handler: () => ({ success: false }),
          },
          {
            name: 'off',
            description: 'Off',
            agentCallable: true,
            danger: 'Cuts the power.',
            inputSchema: { type: 'object' },
            handler: () => ran.push('off'),
          },
        ],
      }),
    );
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.find('lamp_set') !== undefined);
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    pane = window.mount(PlainPane, {});
  });
  afterEach(async () => {
    await window.use(() => useSettings()).flush();
    await window.close();
    undoLayout();
    expect(window.errors).toEqual([]);
  });
}

export const store = () => window.use(() => useParser());
export const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent).trim().startsWith(name),
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};
/** A card shows its result a moment before the run ends. */
export const runEnded = () => vi.waitUntil(() => store().run.phase !== 'running');
export async function write(text: string): Promise<void> {
  await pane.get('textarea').setValue(text);
}
