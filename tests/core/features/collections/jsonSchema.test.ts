import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

import {
  environmentSchema,
  manifestSchema,
  savedCallSchema,
} from '../../../../src-core/features/collections/format.ts';

const path = new URL('../../../../docs/collections.schema.json', import.meta.url);

/** docs/collections.schema.json as the format has it now. */
function described(): object {
  const kinds = { manifest: manifestSchema, call: savedCallSchema, environment: environmentSchema };
  const definitions = Object.entries(kinds).map(([name, schema]) => {
    const definition = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    delete definition.$schema;
    return [name, definition];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A file of a Toolwire collection (docs/collections.md)',
    anyOf: Object.keys(kinds).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(definitions),
  };
}

test('the schema for editors is the format', () => {
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(described());
});
