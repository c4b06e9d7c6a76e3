import { countWays, type Ways } from './countWays.ts';

const maxLength = 4_000;
/** Some 50 ms, and three times that on a busy machine. */
const maxWays = 1e6;
const compiled = new Map<string, { expression: RegExp; ways: Ways } | undefined>();
const maxCompiled = 1_000;

/** How many ways in all the expressions of one check may still be tried. */
export interface PatternBudget {
  ways: number;
}

/**
 * Whether a text matches a schema's regular expression; undefined where that could take long, or where the expression is
 * none. Expressions come from devices and servers: one with a repetition inside a repetition can take years, and nothing
 * stops it in a page. The engine, which can, has the last word at the call.
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
    // No expression: the engine says so at the call.
    return undefined;
  }
}
