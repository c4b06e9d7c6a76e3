/** At most how many ways a regular expression can be tried on a text of this many characters; `Infinity` past counting. */
export type Ways = (length: number) => number;

// Closing signs are optional only so that an unclosed part is read once; `RegExp` refuses a pattern with such a part.
const token =
  /\\(?:[pPu]\{[^}]*\}?|k<[^>]*>?|c?.)|\[(?:\\.|[^\]\\])*\]?|\((?:\?(?:[:=!]|<[=!]|<[^>]*>?|[a-z-]*:))?|[)|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/**
 * Counts the ways to read a text by an expression: those of parts that follow one another multiply, those of alternatives
 * add up, and a part that is repeated has those of each number of times. A matcher that goes back and tries again takes no
 * more steps than that, times the length of one way. Takes an expression that `RegExp` takes with the flag `u`.
 */
export function countWays(pattern: string): Ways {
  const tokens = pattern.match(token) ?? [];
  let at = 0;

  function readChoice(): Ways {
    const choices = [readSequence()];
    while (tokens[at] === '|') {
      at += 1;
      choices.push(readSequence());
    }
    return (length) => choices.reduce((sum, ways) => sum + ways(length), 0);
  }

  function readSequence(): Ways {
    const parts: Ways[] = [];
    for (let next = tokens[at]; next !== undefined && next !== '|' && next !== ')'; next = tokens[at]) {
      at += 1;
      if (!next.startsWith('(')) parts.push(readTimes());
      else {
        const inner = readChoice();
        at += 1;
        parts.push(readTimes(inner));
      }
    }
    return (length) => parts.reduce((product, ways) => product * ways(length), 1);
  }

  /** What stands behind a part says how often it may come. */
  function readTimes(part?: Ways): Ways {
    const times = timesOf(tokens[at]);
    if (times !== undefined) at += 1;
    const { least, most } = times ?? { least: 1, most: 1 };
    return (length) => {
      // No more than the text has characters beyond the least: an expression stops where it would repeat nothing.
      const top = Math.min(most, least + length);
      const ways = part?.(length) ?? 1;
      if (ways === 1) return top - least + 1;
      const all = ways ** (top + 1);
      return Number.isFinite(all) ? (all - ways ** least) / (ways - 1) : Infinity;
    };
  }

  const ways = readChoice();
  // It is tried from every place on, unless all of it begins at the beginning.
  const anchored = pattern.startsWith('^') && timesOf(tokens[1]) === undefined && !hasOuterChoice(tokens);
  return anchored ? ways : (length) => ways(length) * (length + 1);
}

function timesOf(text: string | undefined): { least: number; most: number } | undefined {
  const mark = text?.charAt(0);
  if (mark === '*') return { least: 0, most: Infinity };
  if (mark === '+') return { least: 1, most: Infinity };
  if (mark === '?') return { least: 0, most: 1 };
  const counts = /^\{(\d+)(,(\d*))?\}/.exec(text ?? '');
  if (counts === null) return undefined;
  const least = Number(counts[1]);
  if (counts[2] === undefined) return { least, most: least };
  return { least, most: counts[3] === '' ? Infinity : Number(counts[3]) };
}

function hasOuterChoice(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const one of tokens) {
    if (one.startsWith('(')) depth += 1;
    else if (one === ')') depth -= 1;
    else if (one === '|' && depth === 0) return true;
  }
  return false;
}
