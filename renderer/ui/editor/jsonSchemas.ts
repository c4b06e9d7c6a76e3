import type { JsonSchema } from '../../../src-core/contract/types.ts';
import type { Monaco } from './monacoType.ts';
import { safeSchema } from './safeSchema.ts';

/** Model URI → its schema, for every JSON editor that is open. */
const open = new Map<string, JsonSchema>();

/** Gives the JSON worker the schema of one model, or takes it away. The worker never fetches anything. */
export function setModelSchema(monaco: Monaco, uri: string, schema: JsonSchema | undefined): void {
  const safe = schema === undefined ? undefined : safeSchema(schema);
  if (safe === undefined && !open.has(uri)) return;
  if (safe === undefined) open.delete(uri);
  else open.set(uri, safe);
  monaco.jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    comments: 'error',
    trailingCommas: 'error',
    enableSchemaRequest: false,
    schemaRequest: 'ignore',
    schemaValidation: 'warning',
    schemas: [...open].map(([model, one]) => ({ uri: `${model}#schema`, fileMatch: [model], schema: one })),
  });
}
