/** The forms of the tools that real devices listed: each is filled control by control, and what it says is run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextTick } from 'vue';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import type { JsonObject, JsonSchema } from '../../../../src-core/base/json.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow } from '../../openWindow.ts';

const corpus = join(import.meta.dirname, '../../../../../shared/corpus');

interface RecordedTool {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

const valueFor = (schema: JsonSchema): string | number | boolean => {
  if (schema.type === 'boolean') return true;
  return schema.type === 'integer' ? Number(schema['maximum'] ?? 1) : '一段 "text"';
};

describe.runIf(existsSync(corpus))('the form of each real tool', () => {
  it.each([
    ['tools-esp32host.json', 40],
    ['tools-pyxiaozhi.json', 19],
    ['tools-pyxiaozhi-1.1.8.json', 62],
  ])(
    'of %s takes a value for each property, and the call is one that the schema accepts',
    async (file, count) => {
      const tools = JSON.parse(readFileSync(join(corpus, file), 'utf8')) as RecordedTool[];
      expect(tools).toHaveLength(count);
      onTestFinished(giveLayout());
      const window = await openWindow();
      onTestFinished(() => window.close());
      const called: { name: string; args: JsonObject }[] = [];
      window.workbench.toolRegistryManager.register(
        defineToolRegistry({
          id: 'real',
          name: 'Real',
          source: { kind: 'builtin', id: 'real', label: 'Real' },
          methods: tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            inputSchema,
            agentCallable: true,
            handler: (args: JsonObject) => called.push({ name, args }),
          })),
        }),
      );
      const listed = window.use(() => useTools());
      const executor = window.use(() => useExecutor());
      await vi.waitUntil(() => listed.find(`real_${tools[0]!.name}`) !== undefined);
      const pane = window.mount(ExecutorPane);

      for (const { name, inputSchema } of tools) {
        executor.open(`real_${name}`);
        const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, JsonSchema>);
        await nextTick();
        for (const fold of pane.findAll('.fold[aria-expanded="false"]')) await fold.trigger('click');
        await vi.waitUntil(() => pane.findAll('[data-field]').length === properties.length);
        const wanted = Object.fromEntries(properties.map(([key, schema]) => [key, valueFor(schema)]));
        for (const [key, value] of Object.entries(wanted)) {
          const field = () => pane.get(`[data-field="${key}"]`);
          const send = field().find('button[aria-label^="Set value"]');
          if (send.exists()) await send.trigger('click');
          if (value === true) {
            await field()
              .findAll('[role="radio"]')
              .find((option) => option.text() === 'true')!
              .trigger('click');
          } else {
            await field().get(`[aria-label="${key}"]:is(input, textarea)`).setValue(String(value));
          }
        }
        await nextTick();
        await executor.start();
        expect(called.at(-1), name).toEqual({ name, args: wanted });
      }
      expect(called).toHaveLength(count);
      expect(window.errors).toEqual([]);
    },
    180_000,
  );
});
