import { countWays, type Ways } from './countWays.ts';

const maxLength = 4_000;
/** About 50 ms, and three times that on a busy machine. */
const maxWays = 1e6;
const compiled = new Map<string, { expression: RegExp; ways: Ways } | undefined>();
const maxCompiled = 1_000;

/** The remaining number of ways that all expressions of one check may try. */
export interface PatternBudget {
  ways: number;
}

/**
 * Whether a text matches a schema's regular expression; undefined if this could take long or if the expression is
 * invalid. Expressions come from devices and servers. One with nested repetitions can take years, and a page cannot
 * stop it. The engine can, and makes the final decision at the call.
 */
export function matchesSafely(pattern: string, text: string, budget?: PatternBudget): boolean | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(pattern, compile(pattern));
  }
  const ready = compiled.get(pattern);
  if (ready === undefined || text.length > maxLength) return undefined;
  const ways = ready.ways(text.length);
  if (ways > Math.min(maxWays, budget?.ways ?? maxWays)) return undefined;
  if (budget !== undefined) budget.ways -= ways;
  return ready.expression.test(text);
}

function compile(pattern: string): { expression: RegExp; ways: Ways } | undefined {
  if (pattern.length > maxLength) return undefined;
  try {
    return { expression: new RegExp(pattern, 'u'), ways: countWays(pattern) };
  } catch {
    // Invalid expression: the engine reports it at the call.
    return undefined;
  }
}
