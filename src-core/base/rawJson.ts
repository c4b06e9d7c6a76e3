/**
 * ECMAScript's "JSON.parse source text access", in Node since 21 and in Chrome since 114. TypeScript's library has no types
 * for it yet.
 */
export const rawJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};
