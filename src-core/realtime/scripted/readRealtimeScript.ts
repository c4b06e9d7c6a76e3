import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../base/json.ts';
import { pointerToPath } from '../../base/pointerToPath.ts';
import { prepareSchema } from '../../schema/prepareSchema.ts';
import { RequestError } from '../../base/requestError.ts';
import { validateArguments } from '../../schema/validateArguments.ts';
import { unlimitedWork } from '../../base/workBudget.ts';
import type { RealtimeFault, RealtimeScript } from '../realtimeProfile.ts';

/** Every fault; a missing one is a compile error. */
const faults = Object.keys({
  interrupted: true,
  'duplicate-done': true,
  'broken-arguments': true,
  'active-response': true,
  'drop-socket': true,
  'drop-tools': true,
  'unknown-event': true,
  'server-error': true,
  garbage: true,
} satisfies Record<RealtimeFault, true>);

/** Characters of a text of a script: six minutes of voice. */
const text = { type: 'string', maxLength: 4_000 };

const schema: JsonSchema = object({
  required: ['turns'],
  properties: {
    turns: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: object({
        properties: {
          heard: text,
          say: text,
          calls: {
            type: 'array',
            maxItems: 32,
            items: object({
              required: ['name'],
              properties: {
                name: { type: 'string', minLength: 1, maxLength: 256 },
                arguments: { type: ['object', 'string'] },
              },
            }),
          },
          then: text,
          fault: { enum: faults },
        },
      }),
    },
    atEnd: { enum: ['repeat', 'silent'] },
  },
});

/**
 * Takes any JSON as a script of the scripted realtime server.
 * @throws RequestError that words every issue and names the first one's field: `turns[2].calls[0].name`
 */
export function readRealtimeScript(value: JsonValue): RealtimeScript {
  const issues = checkRealtimeScript(value);
  const [first] = issues;
  // Its schema says just what the type says.
  if (first === undefined) return value as unknown as RealtimeScript;
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new RequestError(`The script is not valid. ${lines.join('\n')}`, { field: first.path });
}

/** Every issue of a script, at most 20; none if it is valid. */
export function checkRealtimeScript(value: JsonValue): { path: string; message: string }[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'A script is an object with a list of "turns".' }];
  // Our own schema has nothing in it that takes long.
  const { issues, unchecked } = validateArguments({
    prepared: prepareSchema(schema),
    args: value,
    budget: unlimitedWork,
  });
  if (unchecked !== undefined) return [{ path: '', message: `The script could not be checked: ${unchecked}.` }];
  return issues.map(({ path, message }) => ({ path: pointerToPath(path), message }));
}

function object(parts: { required?: string[]; properties: JsonObject }): JsonObject {
  return { type: 'object', additionalProperties: false, ...parts };
}
