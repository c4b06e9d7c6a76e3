import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  McpServer,
  McpTool,
  Property,
  PropertyList,
  type JsonObject,
  type PropertyType,
} from '../../../src-core/device.ts';
import { bindArguments } from '../../../src-core/deviceSide/mcp/bindArguments.ts';
import { maxPageBytes } from '../../../src-core/deviceSide/mcp/pageTools.ts';

interface Page {
  tools: { name: string }[];
  nextCursor?: string;
}

async function page(server: McpServer, cursor: string, withUserTools: boolean): Promise<{ page: Page; bytes: number }> {
  const params: JsonObject = { cursor, withUserTools };
  const text = (await server.handle({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })) ?? '';
  return { page: (JSON.parse(text) as { result: Page }).result, bytes: Buffer.byteLength(text) };
}

const sized = fc.record({
  name: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  size: fc.oneof(fc.nat(400), fc.nat(12_000)),
  userOnly: fc.boolean(),
});

test('following the cursors returns each tool once, in order, on pages within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sized, { selector: ({ name }) => name, maxLength: 40 }),
      fc.boolean(),
      async (tools, withUserTools) => {
        const server = new McpServer();
        for (const { name, size, userOnly } of tools)
          server.addTool(new McpTool({ name, description: '字"'.repeat(size / 4), userOnly, callback: () => 1 }));
        const names: string[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined;) {
          const got: Awaited<ReturnType<typeof page>> = await page(server, cursor, withUserTools);
          expect(got.page.tools.length > 0 || tools.every(({ userOnly }) => userOnly && !withUserTools)).toBe(true);
          // One that is too large for any page has one to itself.
          if (got.page.tools.length > 1) expect(got.bytes).toBeLessThanOrEqual(maxPageBytes);
          names.push(...got.page.tools.map(({ name }) => name));
          expect(names.length).toBeLessThanOrEqual(tools.length);
          cursor = got.page.nextCursor;
        }
        expect(names).toEqual(tools.filter(({ userOnly }) => withUserTools || !userOnly).map(({ name }) => name));
      },
    ),
    { numRuns: 100 },
  );
});

const integer = fc.integer({ min: -1_000, max: 1_000 });
const property = fc.record({
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString'), fc.string({ minLength: 1, maxLength: 8 })),
  type: fc.constantFrom<PropertyType>('boolean', 'integer', 'string'),
  required: fc.boolean(),
  bounds: fc
    .tuple(integer, integer)
    .map(([one, other]) => ({ minimum: Math.min(one, other), maximum: Math.max(one, other) })),
});

test('whatever the arguments are, a callback gets what its properties say, or nothing and a reason with the name', () => {
  const anything = fc.oneof(fc.boolean(), fc.integer({ min: -2_000, max: 2_000 }), fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.uniqueArray(property, { selector: ({ name }) => name, maxLength: 6 }),
      fc.array(anything, { minLength: 6, maxLength: 6 }),
      (specs, values) => {
        const properties = new PropertyList(
          specs.map(({ name, type, required, bounds }) => {
            const defaultValue = { boolean: true, integer: bounds.minimum, string: 'd' }[type];
            return new Property(name, type, {
              ...(type === 'integer' ? bounds : {}),
              ...(required ? {} : { defaultValue }),
            });
          }),
        );
        const given = Object.fromEntries(specs.map(({ name }, index) => [name, values[index]])) as JsonObject;
        let bound: Readonly<Record<string, unknown>>;
        try {
          bound = bindArguments(properties, given);
        } catch (error) {
          expect(specs.some(({ name }) => (error as Error).message.includes(name))).toBe(true);
          return;
        }
        expect(Object.keys(bound).sort()).toEqual(specs.map(({ name }) => name).sort());
        for (const { name, type, bounds } of specs) {
          const value = bound[name];
          if (type !== 'integer') expect(typeof value).toBe(type);
          else
            expect(Number.isInteger(value) && Number(value) >= bounds.minimum && Number(value) <= bounds.maximum).toBe(
              true,
            );
        }
      },
    ),
    { numRuns: 500 },
  );
});
