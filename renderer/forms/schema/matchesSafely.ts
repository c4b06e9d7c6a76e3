const maxLength = 4_000;
const maxSteps = 2e7;
const compiled = new Map<string, { expression: RegExp; loops: number } | undefined>();
const maxCompiled = 1_000;

/**
 * Whether a text matches a schema's regular expression; undefined where that could take long, or where the expression is
 * none. Expressions come from devices and servers: one with a repetition inside a repetition can take years, and nothing
 * stops it in a page. The engine, which can, has the last word at the call.
 */
export function matchesSafely(pattern: string, text: string): boolean | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(pattern, compile(pattern));
  }
  const ready = compiled.get(pattern);
  if (ready === undefined || text.length > maxLength) return undefined;
  const starts = pattern.startsWith('^') ? 0 : 1;
  if ((text.length + 1) ** (ready.loops + starts) > maxSteps) return undefined;
  return ready.expression.test(text);
}

function compile(pattern: string): { expression: RegExp; loops: number } | undefined {
  if (pattern.length > maxLength) return undefined;
  const loops = countLoops(pattern);
  if (loops === undefined) return undefined;
  try {
    return { expression: new RegExp(pattern, 'u'), loops };
  } catch {
    return undefined;
  }
}

interface Group {
  /** It holds a repetition whose length is open. */
  loops: boolean;
  alternatives: boolean;
}

/** Counts of a group with alternatives above this are not tried: each doubles the ways to match. */
const fewTimes = 4;

/**
 * How many repetitions of open length stand one after another; undefined where one holds another or a choice: then
 * matching may take exponential time. Reads no more of the syntax than that needs.
 */
function countLoops(pattern: string): number | undefined {
  const text = pattern.replaceAll(/\\./gsu, 'a').replaceAll(/\[[^\]]*\]/gu, 'a');
  let loops = 0;
  const groups: Group[] = [{ loops: false, alternatives: false }];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const outer = groups.at(-1);
    if (outer === undefined) return undefined;
    if (character === '(') groups.push({ loops: false, alternatives: false });
    else if (character === '|') outer.alternatives = true;
    else if (character === ')') {
      groups.pop();
      const times = repetitionAt(text, at + 1);
      if (times.most > 1 && outer.loops) return undefined;
      if (times.most > fewTimes && outer.alternatives) return undefined;
      const around = groups.at(-1);
      if (around === undefined) return undefined;
      around.loops ||= outer.loops;
      around.alternatives ||= outer.alternatives;
    }
    const { least, most } = repetitionAt(text, at);
    const holder = groups.at(-1);
    if (most - least > fewTimes && holder !== undefined) {
      loops += 1;
      holder.loops = true;
    }
  }
  return groups.length === 1 ? loops : undefined;
}

/** How often what stands before this place may come: once, where nothing says so. */
function repetitionAt(text: string, at: number): { least: number; most: number } {
  const character = text.charAt(at);
  if (character === '*' || character === '+') return { least: 0, most: Infinity };
  const counts = character === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(text.slice(at, at + 24)) : null;
  if (counts === null) return { least: 1, most: 1 };
  const least = Number(counts[1]);
  if (counts[2] === undefined) return { least, most: least };
  return { least, most: counts[3] === '' ? Infinity : Number(counts[3]) };
}
