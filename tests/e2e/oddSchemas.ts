import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const order = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, description: 'What the order is called' },
    customer: {
      type: 'object',
      description: 'Who it is for',
      properties: {
        name: { type: 'string' },
        email: { type: 'string', format: 'email' },
        since: { type: 'string', format: 'date' },
      },
      required: ['name'],
    },
    tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, uniqueItems: true, maxItems: 4 },
    shape: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'box' }, width: { type: 'number' }, height: { type: 'number' } },
          required: ['kind', 'width', 'height'],
        },
      ],
    },
    id: { type: 'integer', description: 'Any whole number, however large' },
    point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
    limits: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 }, description: 'By name' },
    level: { enum: [1, 2, 'max', null], description: 'A choice of any type' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: 'none' },
    folder: { $ref: '#/$defs/folder' },
    anything: { description: 'Whatever you like' },
  },
  required: ['title'],
  $defs: {
    folder: {
      type: 'object',
      properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/folder' } },
      required: ['name'],
    },
  },
};

const wide = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `field${String(at)}`,
      { type: at % 3 === 0 ? 'integer' : 'string', description: `Field number ${String(at)}` },
    ]),
  ),
  required: ['field7', 'field990'],
};

/** Writes a module of the person's own into a data directory: methods with schemas of every kind, each answering with what it was given. */
export function writeOddSchemas(dataDir: string, more: Record<string, object> = {}): void {
  // Each test has a tool of its own: the window remembers what was written for each.
  const schemas = { order, errors: order, kept: order, json: order, look: order, blick: order, wide, ...more };
  const methods = Object.entries(schemas).map(
    ([name, inputSchema]) => `    ${name}: {
      description: 'Gives back what it was given.',
      agentCallable: true,
      inputSchema: ${JSON.stringify(inputSchema)},
      handler: (args) => args,
    },`,
  );
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  writeFileSync(
    join(dataDir, 'modules', 'shop.js'),
    `export default {\n  name: 'Shop',\n  description: 'Odd schemas.',\n  methods: {\n${methods.join('\n')}\n  },\n};\n`,
  );
}
