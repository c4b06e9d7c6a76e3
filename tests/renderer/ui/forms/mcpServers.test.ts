/** The schemas that MCP servers from npm list today, and those that real devices listed: which fields the form draws natively, which as JSON. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mount } from '@vue/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nextTick, ref } from 'vue';

import SchemaForm from '../../../../renderer/ui/forms/fields/SchemaForm.vue';
import { fieldOf, type Field } from '../../../../renderer/ui/forms/schema/fieldOf.ts';
import { fieldsOf } from '../../../../renderer/ui/forms/schema/fieldsOf.ts';
import { itemSchema, listShape } from '../../../../renderer/ui/forms/schema/listShape.ts';
import { useArguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import { firstOf } from '../../../../renderer/ui/forms/values/firstValue.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';

const corpus = join(import.meta.dirname, '../../../../../shared/corpus');
const resolve = createRequire(import.meta.url).resolve;

interface Listed {
  name: string;
  inputSchema: JsonSchema;
}

async function listOf(server: string, ...args: string[]): Promise<Listed[]> {
  const file = join(dirname(resolve(`@modelcontextprotocol/${server}/package.json`)), 'dist/index.js');
  const client = new Client({ name: 'forms', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [file, ...args], stderr: 'ignore' }),
  );
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema as JsonSchema }));
  } finally {
    await client.close();
  }
}

/** Every field of a schema, those inside objects, lists and kinds of value included. */
function allFields(root: JsonSchema): Field[] {
  const found: Field[] = [];
  const visit = (field: Field): void => {
    if (field.path.length > 6) return;
    found.push(field);
    const { control, path } = field;
    if (control.kind === 'object') fieldsOf(control.schema, root, path).forEach(visit);
    if (control.kind === 'list') {
      const schema = itemSchema(listShape(control.schema), 0);
      visit(fieldOf({ schema, root, path: [...path, 0], name: 'item', required: true }));
    }
    if (control.kind === 'variants') {
      for (const { schema } of control.variants)
        visit(fieldOf({ schema, root, path: [...path, 0], name: 'kind', required: true }));
    }
  };
  fieldsOf(root).forEach(visit);
  return found;
}

/** Draws the form with a value in every field, as far as each has one to begin with. */
async function draw(schema: JsonSchema): Promise<string> {
  const text = ref('{}');
  const args = useArguments({ text, schema: ref(schema) });
  for (const { path, schema: own } of fieldsOf(schema)) args.set(path, firstOf(own, schema));
  const form = mount(SchemaForm, { props: { args, schema, showMissing: true } });
  await nextTick();
  const names = form.findAll('[data-field]').map((row) => row.attributes('data-field'));
  expect(names).toEqual(expect.arrayContaining(Object.keys((schema['properties'] ?? {}) as object)));
  const html = form.html();
  form.unmount();
  return html;
}

async function report(source: string, tools: Listed[]): Promise<void> {
  onTestFinished(giveLayout());
  let native = 0;
  const json: string[] = [];
  for (const { name, inputSchema } of tools) {
    for (const { control, path } of allFields(inputSchema)) {
      if (control.kind === 'json') json.push(`${name}.${path.join('.')}`);
      else native += 1;
    }
    expect(await draw(inputSchema), name).not.toBe('');
  }
  console.log(
    `${source}: ${String(tools.length)} tools, ${String(native)} fields natively, ${String(json.length)} as JSON` +
      ` (${json.join(', ') || 'none'}), 0 failed`,
  );
}

describe('every schema of an MCP server from npm has a form', () => {
  it.each([
    ['server-everything', 10, ['stdio']],
    ['server-filesystem', 10, ['.']],
    ['server-memory', 9, []],
  ] as const)('%s', async (server, least, args) => {
    const tools = await listOf(server, ...args);
    expect(tools.length).toBeGreaterThanOrEqual(least);
    await report(server, tools);
  });
});

describe.runIf(existsSync(corpus))('every schema of a real device has a form', () => {
  it.each(['tools-esp32host.json', 'tools-pyxiaozhi.json', 'tools-pyxiaozhi-1.1.8.json'])('%s', async (file) => {
    await report(file, JSON.parse(readFileSync(join(corpus, file), 'utf8')) as Listed[]);
  });
});
