import { convertArguments, type ConvertedArguments } from '../../../src-core/schema/convertArguments.ts';
import type { JsonSchema } from '../../../src-core/base/json.ts';

/** Converts what a model wrote, for a method with these parameters. */
export function fromText(
  args: Record<string, string>,
  properties: JsonSchema,
  rest: JsonSchema = {},
): ConvertedArguments {
  return convertArguments({ args, inputSchema: { type: 'object', properties, ...rest }, source: 'text' });
}

/** Converts what a form or a program gives, for a method with these parameters. */
export function fromJson(
  args: Record<string, unknown>,
  properties: JsonSchema,
  rest: JsonSchema = {},
): ConvertedArguments {
  return convertArguments({ args, inputSchema: { type: 'object', properties, ...rest }, source: 'json' });
}
