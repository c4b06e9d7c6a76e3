import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonSchema, JsonValue } from '../../base/json.ts';
import { checkScript, refuseIssues, scriptedCall, strictObject } from '../../schema/checkScript.ts';
import type { ModelScript, ScriptIssue } from '../../contract/modelInfo.ts';

const text = { type: 'string', maxLength: 1_000_000 };
const condition = { type: 'string', minLength: 1, maxLength: 1_000 };
const count = { type: 'integer', minimum: 0, maximum: 1_000_000_000 };

/** The schema of a `ModelScript`. */
export const modelScriptSchema: JsonSchema = strictObject({
  required: ['turns'],
  properties: {
    turns: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: strictObject({
        properties: {
          when: strictObject({
            properties: {
              role: { enum: ['user', 'tool'] },
              contains: condition,
              matches: condition,
              asked: condition,
              system: condition,
              tool: condition,
              clientTool: { const: true },
            },
          }),
          text,
          reasoning: text,
          toolCalls: { type: 'array', maxItems: 100, items: scriptedCall },
          finishReason: { enum: ['stop', 'tool-calls', 'length', 'content-filter', 'other'] },
          usage: strictObject({ properties: { inputTokens: count, outputTokens: count } }),
          delayMs: { type: 'integer', minimum: 0, maximum: 600_000 },
          error: strictObject({
            required: ['code', 'message'],
            properties: {
              code: { enum: ['timeout', 'unreachable', 'http', 'answer', 'too-large', 'stream'] },
              message: { type: 'string', minLength: 1, maxLength: 10_000 },
            },
          }),
        },
      }),
    },
    atEnd: { enum: ['fail', 'repeat'] },
  },
});

/**
 * Reads any JSON as a script.
 * @throws {RequestError} If it is not valid. The message lists every issue, the field is that of the first.
 */
export function readModelScript(value: JsonValue): ModelScript {
  refuseIssues(checkModelScript(value));
  // The schema matches the type.
  return value as unknown as ModelScript;
}

/** Every issue of a script, at most 20; empty if it is valid. */
export function checkModelScript(value: JsonValue): ScriptIssue[] {
  const issues = checkScript(modelScriptSchema, value);
  // A value without issues matches the type.
  return issues.length > 0 ? issues : patternIssues(value as unknown as ModelScript);
}

function patternIssues({ turns }: ModelScript): ScriptIssue[] {
  const keys = turns.flatMap(({ when }, index) => (['matches', 'asked'] as const).map((key) => ({ when, index, key })));
  return keys.flatMap(({ when, index, key }) => {
    try {
      if (when?.[key] !== undefined) new RegExp(when[key], 'iu');
      return [];
    } catch (error) {
      return [{ path: `turns[${index}].when.${key}`, message: `${describeThrown(error)}.` }];
    }
  });
}
