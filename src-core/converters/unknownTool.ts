import { nearestNames } from '../base/nearestNames.ts';

/** What a model is told that calls a tool which is not there: made up, or gone since it was offered. */
export function unknownTool(wireName: string, known: readonly string[]): string {
  const [nearest] = nearestNames({ query: wireName, items: known, keysOf: (name) => [name], limit: 1 });
  const next = nearest === undefined ? 'Use one of the tools that are offered.' : `Did you mean "${nearest}"?`;
  return `Error: There is no tool "${wireName.slice(0, 120)}". ${next}`;
}
