import type { JsonObject, JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';

/** The values that a form of a server starts with: the `default` of each property that has one. */
export function defaultsOf(schema: JsonSchema): JsonObject {
  if (typeof schema === 'boolean') return {};
  const { properties = {} } = schema as { properties?: Record<string, { default?: JsonValue }> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default]],
    ),
  );
}
