/** Every tool that real clients list (../shared/corpus): its form has a control that works for each property, and its call is accepted. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import type { Frame } from '../../../../src-core/contract/types.ts';
import { DeviceClient, McpServer, McpTool, Property, PropertyList } from '../../../../src-core/device.ts';
import type { PropertyOptions, PropertyType } from '../../../../src-core/device.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

// The page's own URL is no file's.
const corpus = join(import.meta.dirname, '../../../../../shared/corpus');
const deviceId = '02:00:00:00:c0:05';

interface RecordedProperty {
  type: PropertyType;
  default?: boolean | number | string;
  minimum?: number;
  maximum?: number;
}
interface RecordedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, RecordedProperty>; required?: string[] };
  annotations?: object;
}

let window: TestWindow;
let pane: VueWrapper;
let device: DeviceClient | undefined;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
});
afterEach(async () => {
  await device?.close();
  device = undefined;
  await window.use(() => useSettings()).flush();
});

/** A device with the recorded tools; each answers with its own name. */
function deviceOf(tools: RecordedTool[]): McpServer {
  const server = new McpServer({ name: 'corpus' });
  for (const { name, description, inputSchema, annotations } of tools) {
    const properties = Object.entries(inputSchema.properties).map(
      ([key, { type, default: value, minimum, maximum }]) => {
        const options: PropertyOptions = {};
        if (value !== undefined) options.defaultValue = value;
        if (minimum !== undefined) options.minimum = minimum;
        if (maximum !== undefined) options.maximum = maximum;
        return new Property(key, type, options);
      },
    );
    server.addTool(
      new McpTool({
        name,
        description,
        properties: new PropertyList(properties),
        callback: () => name,
        userOnly: annotations !== undefined,
      }),
    );
  }
  return server;
}

const store = () => window.use(() => useExecutor());
const row = (name: string): Element => {
  const found = [...document.querySelectorAll('[data-field]')].find((one) => one.getAttribute('data-field') === name);
  if (found === undefined) throw new Error(`no row for ${name}`);
  return found;
};
const buttonIn = (where: Element, words: string): HTMLButtonElement | undefined =>
  [...where.querySelectorAll<HTMLButtonElement>('button')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent).trim().startsWith(words),
  );

/** A value within the limits that is not the default. */
function valueFor({ type, default: value, minimum = 7, maximum }: RecordedProperty): boolean | number | string {
  if (type === 'boolean') return value !== true;
  if (type === 'string') return '客厅 "one", line one';
  return maximum !== undefined && maximum !== value ? maximum : minimum;
}

/** Fills a property in through its control, as a person does. */
async function fillIn(name: string, property: RecordedProperty): Promise<void> {
  buttonIn(row(name), 'Set value')?.click();
  await nextTick();
  const value = valueFor(property);
  const control =
    property.type === 'string' ? ':is(input, textarea)' : property.type === 'integer' ? 'input' : '[role="radio"]';
  const [element] =
    control === '[role="radio"]'
      ? [...row(name).querySelectorAll<HTMLElement>(control)].filter((one) => one.textContent.trim() === String(value))
      : [...row(name).querySelectorAll<HTMLInputElement>(control)].filter((one) => one.type !== 'hidden');
  if (element === undefined) throw new Error(`${name} has no ${control}: ${row(name).innerHTML}`);
  if (control === '[role="radio"]') element.click();
  else {
    (element as HTMLInputElement).value = String(value);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await nextTick();
}

/** Runs what the form holds, says yes where it is asked, and gives what went over the wire. */
async function run(): Promise<{ name: string; arguments: Record<string, unknown> }> {
  const former = store().shown;
  buttonIn(pane.element as Element, 'Run')?.click();
  const hasAnswered = (): boolean => {
    buttonIn(document.body, 'Approve')?.click();
    const { shown } = store();
    return shown !== undefined && shown !== former && store().run?.running.value === false;
  };
  await vi.waitUntil(hasAnswered);
  expect(store().shown?.result).toMatchObject({ status: 'success' });
  const callId = store().shown?.callId ?? '';
  const frames: Frame[] = await window.workbench.services.frames.ofCall({ callId });
  const sent = frames.findLast(({ direction, method }) => direction === 'out' && method === 'tools/call');
  return (JSON.parse(sent?.text ?? '') as { payload: { params: { name: string; arguments: Record<string, unknown> } } })
    .payload.params;
}

/** The schemas whose forms were filled in. */
const tried = new Set<string>();

describe.each([
  ['tools-esp32host.json', 40],
  ['tools-pyxiaozhi.json', 19],
  ['tools-pyxiaozhi-1.1.8.json', 62],
])('the real list %s', (file, count) => {
  it.runIf(existsSync(corpus))(
    'builds for every tool a working form and a call that its schema accepts',
    { timeout: 120_000 },
    async () => {
      const tools = JSON.parse(readFileSync(join(corpus, file), 'utf8')) as RecordedTool[];
      expect(tools).toHaveLength(count);
      const { webSocketUrl } = window.workbench.info().device;
      device = new DeviceClient({ url: webSocketUrl, server: deviceOf(tools), deviceId });
      await device.connect();
      const known = window.use(() => useTools());
      const { toolRegistryManager } = window.workbench;
      await vi.waitUntil(() => toolRegistryManager.getAllTools().some(({ source }) => source.id === deviceId));
      const registry = toolRegistryManager.getAllTools().find(({ source }) => source.id === deviceId);
      const qualified = (name: string) => `${registry?.id ?? ''}_${name}`;
      await vi.waitUntil(() => tools.every(({ name }) => known.find(qualified(name)) !== undefined));
      pane = window.mount(ExecutorPane, {});

      for (const { name, inputSchema } of tools) {
        // Many tools take the same: their forms are equal.
        const schema = JSON.stringify(inputSchema);
        if (tried.has(schema)) continue;
        tried.add(schema);
        const { properties, required = [] } = inputSchema;
        const validator = new Validator(inputSchema, '2020-12');
        window.use(() => useSandbox()).load({ qualifiedName: qualified(name) });
        await nextTick();
        document.querySelector<HTMLElement>('.fold[aria-expanded="false"]')?.click();
        await nextTick();
        expect(document.querySelectorAll('[data-field]')).toHaveLength(Object.keys(properties).length);
        expect(JSON.parse(store().text)).toEqual({});

        const given: Record<string, unknown> = {};
        const fill = async (key: string): Promise<void> => {
          const property = properties[key]!;
          await fillIn(key, property);
          given[key] = valueFor(property);
        };
        for (const key of required) await fill(key);
        expect(await run(), name).toEqual({ name, arguments: given });
        expect(validator.validate(given).valid).toBe(true);

        const optional = Object.keys(properties).filter((key) => !required.includes(key));
        if (optional.length === 0) continue;
        for (const key of optional) await fill(key);
        expect(await run(), name).toEqual({ name, arguments: given });
        expect(validator.validate(given).valid).toBe(true);
      }
    },
  );
});
