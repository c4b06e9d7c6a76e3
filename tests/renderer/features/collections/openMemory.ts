/** The dialogs of the calls that are kept, in a window on a real workbench with a tool `lamp`, and folders of their own. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import type { Component } from 'vue';

import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import MemoryDialogs from '../../../../renderer/features/collections/MemoryDialogs.vue';
import { useMemory } from '../../../../renderer/features/collections/memoryStore.ts';
import { useCollections } from '../../../../renderer/features/collections/collectionsStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { until } from '../devices/acting.ts';

export interface MemoryWindow {
  window: TestWindow;
  executor: ReturnType<typeof useExecutor>;
  memory: ReturnType<typeof useMemory>;
  collections: ReturnType<typeof useCollections>;
  toasts: ReturnType<typeof useToasts>;
  /** A folder with `path` in it as `files`; opened as a collection where it has a toolwire.json. Its real path. */
  folder(files: Record<string, unknown>): Promise<string>;
  mount(component: Component, props?: Record<string, unknown>): VueWrapper;
  close(): Promise<void>;
}

export async function openMemory(): Promise<MemoryWindow> {
  const undoLayout = giveLayout();
  const window = await openWindow();
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-memory-')));
  let folders = 0;
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'set',
          description: 'Sets the lamp',
          agentCallable: true,
          inputSchema: { type: 'object', properties: { level: { type: 'integer' }, note: { type: 'string' } } },
          handler: (args) => args,
        },
        {
          name: 'wait',
          description: 'Waits until it is ended',
          agentCallable: true,
          inputSchema: { type: 'object' },
          handler: (_args, { signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        },
      ],
    }),
  );
  const tools = window.use(() => useTools());
  const settings = window.use(() => useSettings());
  await until(() => tools.find('lamp_set') !== undefined && settings.loaded);
  const collections = window.use(() => useCollections());
  await until(() => collections.loaded);
  window.mount(MemoryDialogs);

  return {
    window,
    collections,
    executor: window.use(() => useExecutor()),
    memory: window.use(() => useMemory()),
    toasts: window.use(() => useToasts()),
    async folder(files) {
      const path = join(root, `folder-${++folders}`);
      mkdirSync(path);
      for (const [file, value] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        writeFileSync(join(path, file), JSON.stringify(value));
      }
      if (Object.hasOwn(files, 'toolwire.json')) {
        await window.connection.client.collections.open({ folder: path });
        await until(() => collections.list.some(({ folder }) => folder === path));
      }
      return path;
    },
    mount: (component, props) => window.mount(component, props),
    async close() {
      await settings.flush();
      await window.close();
      rmSync(root, { recursive: true, force: true });
      undoLayout();
    },
  };
}

/** What a JSON file holds; undefined where it is not there. */
export function fileAt(folder: string, file: string): unknown {
  const path = join(folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** The field of this name in a dialog: its label, or the words of the <label> around it. */
export function field(within: HTMLElement, name: string): HTMLInputElement | HTMLTextAreaElement {
  const found = [...within.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find(
    (one) =>
      one.getAttribute('aria-label') === name || one.closest('label')?.querySelector('span')?.textContent === name,
  );
  if (!found) throw new Error(`No field “${name}” in: ${within.textContent}`);
  return found;
}

export async function fill(within: HTMLElement, name: string, value: string): Promise<void> {
  const found = field(within, name);
  found.value = value;
  found.dispatchEvent(new Event('input', { bubbles: true }));
  await flushPromises();
}

/** Presses the button with this word on it, or with this name, in a dialog. */
export async function pressIn(within: HTMLElement, word: string): Promise<void> {
  const buttons = [...within.querySelectorAll<HTMLElement>('button, [role="radio"]')];
  const found =
    buttons.find((one) => one.textContent?.trim() === word || one.getAttribute('aria-label') === word) ??
    buttons.find((one) => one.textContent?.includes(word));
  if (!found) throw new Error(`No button “${word}” in: ${within.textContent}`);
  found.click();
  await flushPromises();
}

/** Esc, as a person presses it in a dialog. */
export async function escape(within: HTMLElement): Promise<void> {
  const at = within.contains(document.activeElement) ? document.activeElement : within;
  at?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  await flushPromises();
}
