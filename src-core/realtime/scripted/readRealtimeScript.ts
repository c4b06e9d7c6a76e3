import type { JsonSchema, JsonValue } from '../../base/json.ts';
import { checkScript, refuseIssues, scriptedCall, strictObject } from '../../schema/checkScript.ts';
import type { RealtimeFault, RealtimeScript } from '../../base/realtimeTypes.ts';

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

const schema: JsonSchema = strictObject({
  required: ['turns'],
  properties: {
    turns: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: strictObject({
        properties: {
          heard: text,
          say: text,
          calls: { type: 'array', maxItems: 32, items: scriptedCall },
          then: text,
          fault: { enum: faults },
        },
      }),
    },
    atEnd: { enum: ['repeat', 'silent'] },
  },
});

/**
 * Reads any JSON as a script of the scripted realtime server.
 * @throws {RequestError} If it is not valid; the field is `turns[2].calls[0].name`, for example.
 */
export function readRealtimeScript(value: JsonValue): RealtimeScript {
  refuseIssues(checkRealtimeScript(value));
  // The schema matches the type.
  return value as unknown as RealtimeScript;
}

/** Every issue of a script, at most 20; empty if it is valid. */
export function checkRealtimeScript(value: JsonValue): ReturnType<typeof checkScript> {
  return checkScript(schema, value);
}
