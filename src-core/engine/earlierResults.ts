import type { ToolExecutionResult } from '../base/calls.ts';
import { dangerReasons } from '../registry/dangerReasons.ts';
import { onlyReads } from '../registry/dangerousTools.ts';
import { decodeLevel } from '../base/decodeEscapes.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { plainText } from '../base/plainText.ts';
import { foldWords, type FoldedText } from './foldWords.ts';

/** A model's call, resolved to the method that it means. */
export interface CallToCompare {
  toolId: string;
  methodName: string;
  args: JsonObject;
  inputSchema: JsonSchema;
}

/**
 * The tool results and the user's messages of a conversation. A model that calls what a result told it to call may be
 * steered by that tool, so such a call asks the user first. This recognises literal copies; it is a warning, not a
 * protection.
 */
export interface EarlierResults {
  /** Texts that were compared, so that the next turn does not fold them again. */
  readonly folded: ReadonlyMap<string, FoldedText>;
  /** Characters that are kept, without folded texts. */
  readonly size: number;
  /** What is kept, the oldest first. Messages of the user have no source. */
  readonly texts: readonly { source: string; text: string }[];
  /** Adds what a tool returned. What Toolwire itself says about a call, such as a refusal or a timeout, does not count. */
  add(result: Pick<ToolExecutionResult, 'toolName' | 'status' | 'result' | 'error'>): void;
  /** Adds a message of the user. A value that the user wrote does not count as a tool's. */
  addUserText(text: string): void;
  /** Why a call must be confirmed, in a sentence; `undefined` if it need not be. */
  suspicionOf(call: CallToCompare): string | undefined;
  /** Releases the memory of folded texts. They are folded again if a call needs them. */
  forgetFolded(): void;
}

/** Characters of the start of a text that are compared, and of its end. */
const maxHalf = 16_384;
/** Characters of results that are kept; the oldest are dropped first. */
const maxResults = 131_072;
/** Characters of the user's messages that are kept. */
const maxUserTexts = 32_768;
/** Characters that a text counts for at least, so that the number of texts is bounded. */
const minCounted = 256;
/** Values of a call that are compared, and characters of each. */
const maxValues = 50;
const maxValueLength = 200;
/** Characters that are searched for the calls between two results, as those of one reply. */
const maxSearched = 4_000_000;
/** Folding a value takes as long as a search in so many characters. */
const valueCost = 2_048;

/** Members of a written call. With one of them, a name of one word, such as `play`, is a call. */
const callMarks = ['tool name', 'tool call', 'tool use', 'command', 'method', 'arguments'].map((mark) => ` ${mark} `);

/** What was computed for the calls since the last text. The calls of one reply often name the same method. */
interface Comparison {
  /** Characters that may still be searched. */
  left: number;
  texts: Map<string, MethodTexts>;
  /** By call: its suspicion. A call is judged when it is planned and when it is run. */
  verdicts: Map<string, string | undefined>;
}

/** The texts in which a call's values are searched. */
interface MethodTexts {
  others: readonly SourceText[];
  /** Those of `others` that name the method. */
  naming: readonly (SourceText & { naming: Naming })[];
}

interface SourceText extends FoldedText {
  source: string;
}

/** Makes an empty list, which takes folded texts over from the list of an earlier turn. */
export function createEarlierResults(earlier?: EarlierResults): EarlierResults {
  const results = createTextList(maxResults);
  const userTexts = createTextList(maxUserTexts);
  const before = earlier?.folded;
  const folded = new Map<string, FoldedText>();
  let comparison = startComparison();
  function read(text: string): FoldedText {
    const found = folded.get(text) ?? before?.get(text) ?? foldText(text);
    folded.set(text, found);
    return found;
  }
  function add(list: TextList, text: string, source: string): void {
    for (const dropped of list.add(text, source)) folded.delete(dropped);
    comparison = startComparison();
  }
  function textsOf({ toolId, methodName }: Omit<CallToCompare, 'inputSchema'>, namingOf: NameTest): MethodTexts {
    // A tool that repeats its own calls does not steer the model to another tool.
    const others = results.list
      .filter(({ source }) => source !== `${toolId}_${methodName}`)
      .map(({ source, text }) => ({ source, ...read(text) }));
    const naming = others.flatMap((text) => {
      const named = namingOf(text);
      return named === 'none' ? [] : [{ ...text, naming: named }];
    });
    return { others, naming };
  }
  function judge(call: Omit<CallToCompare, 'inputSchema'>): string | undefined {
    const namingOf = nameTest(call.toolId, call.methodName, comparison);
    const method = JSON.stringify([call.toolId, call.methodName]);
    const texts = comparison.texts.get(method) ?? textsOf(call, namingOf);
    comparison.texts.set(method, texts);
    if (texts.naming.length === 0) return undefined;
    const users = userTexts.list.map(({ text }) => read(text));
    const source = steeringSource(valuesOf(call.args, comparison), { ...texts, users, namingOf, comparison });
    return (
      source && `Text of this call occurs in an earlier result of "${source}": that result may be steering the model.`
    );
  }

  return {
    folded,
    get size() {
      return results.size() + userTexts.size();
    },
    get texts() {
      return [...userTexts.list, ...results.list];
    },
    add({ toolName, status, result, error }) {
      if (status === 'success' || error?.code === 'tool-error') add(results, result, toolName);
    },
    addUserText: (text) => add(userTexts, text, ''),
    suspicionOf(call) {
      if (results.list.length === 0 || onlyReads(call.methodName)) return undefined;
      const { verdicts } = comparison;
      const args = withoutDefaults(call);
      const key = JSON.stringify([call.toolId, call.methodName, args]);
      if (verdicts.has(key)) return verdicts.get(key);
      const found = comparison.left > 0 ? judge({ ...call, args }) : undefined;
      const verdict = found ?? (comparison.left > 0 ? undefined : dangerReasons.notCompared);
      verdicts.set(key, verdict);
      return verdict;
    },
    forgetFolded() {
      folded.clear();
      comparison = startComparison();
    },
  };
}

function startComparison(): Comparison {
  return { left: maxSearched, texts: new Map(), verdicts: new Map() };
}

/** The tool whose result may have steered the model to a call with those values. */
function steeringSource(
  { distinctive, short }: CallValues,
  {
    others,
    naming,
    users,
    namingOf,
    comparison,
  }: MethodTexts & { users: readonly FoldedText[]; namingOf: NameTest; comparison: Comparison },
): string | undefined {
  const isIn = (value: string, texts: readonly FoldedText[]): boolean =>
    texts.some(({ words }) => occurs(value, words, comparison));
  const isTold = (texts: readonly FoldedText[]): boolean =>
    distinctive.some((value) => isIn(value, texts) && !isIn(value, users));
  const written = naming.find((text) => text.naming === 'call');
  if (distinctive.length === 0) {
    if (written === undefined || users.some((user) => namingOf(user) !== 'none')) return undefined;
    return short.every((value) => isIn(value, others)) ? written.source : undefined;
  }
  if (written !== undefined) return isTold(others) ? written.source : undefined;
  // Words that also occur in prose count only next to a value.
  return naming.find((text) => isTold([text]))?.source;
}

type TextList = ReturnType<typeof createTextList>;

/** The newest texts, each cut to its start and its end. `add` returns what it drops. */
function createTextList(maxKept: number) {
  const list: { source: string; text: string }[] = [];
  const counted = (text: string): number => Math.max(text.length, minCounted);
  let kept = 0;
  return {
    list,
    size: () => kept,
    add(text: string, source: string): string[] {
      const ends = text.length <= 2 * maxHalf ? text : `${text.slice(0, maxHalf)}\n${text.slice(1 - maxHalf)}`;
      list.push({ source, text: ends });
      kept += counted(ends);
      let count = 0;
      while (kept > maxKept) kept -= counted(list[count++]?.text ?? '');
      return list.splice(0, count).map((dropped) => dropped.text);
    },
  };
}

/** Folds a text as it is and, if it has escapes, with them decoded: `C:\new` is a path or has a line break. */
function foldText(text: string): FoldedText {
  const asItIs = foldWords(text, 4 * maxHalf);
  if (!text.includes('\\')) return asItIs;
  // JSON in JSON doubles its backslashes, which is one level: the second is for a backslash that is itself an escape.
  const decoded = foldWords(decodeLevel(decodeLevel(text)), 4 * maxHalf);
  return { words: asItIs.words + decoded.words, letters: `${asItIs.letters} ${decoded.letters}` };
}

/** Whether folded words occur in a folded text. If the search would take too long, they do not. */
function occurs(words: string, text: string, comparison: Comparison): boolean {
  if (comparison.left <= 0) return false;
  const found = text.indexOf(words);
  comparison.left -= Math.max(found < 0 ? text.length : found, minCounted);
  return found >= 0;
}

/** How a text names a method: as in a call, by single words that also occur in prose, or not at all. */
type Naming = 'call' | 'words' | 'none';

type NameTest = (text: FoldedText) => Naming;

/** Makes the test of how texts name a method. Separators do not count: `self.light.on`, `self light on`. */
function nameTest(toolId: string, methodName: string, comparison: Comparison): NameTest {
  const [tool, method] = [partsOf(toolId), partsOf(methodName)];
  const isOneWord = method.length === 1 && !/[a-z][A-Z]/.test(methodName);
  const name = (isOneWord ? [...tool, ...method] : method).map(({ letters }) => letters).join('');
  return ({ words, letters }) => {
    if (occurs(name, letters, comparison)) return 'call';
    if (!isOneWord || ![...tool, ...method].every((part) => occurs(part.words, words, comparison))) return 'none';
    return callMarks.some((mark) => occurs(mark, words, comparison)) ? 'call' : 'words';
  };
}

function partsOf(name: string): FoldedText[] {
  return plainText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => foldWords(part, part.length * 4));
}

/** The folded values of a call: distinctive texts, and short texts and numbers. */
interface CallValues {
  distinctive: string[];
  short: string[];
}

/** The first arguments that are not the schema's default. A default tells nothing of where it comes from. */
function withoutDefaults({ args, inputSchema }: CallToCompare): JsonObject {
  const first = Object.entries(args).slice(0, maxValues);
  return Object.fromEntries(first.filter(([name, value]) => value !== defaultOf(inputSchema['properties'], name)));
}

/** Booleans and nulls are left out, too. */
function valuesOf(args: JsonObject, comparison: Comparison): CallValues {
  const waiting = Object.values(args);
  const values: CallValues = { distinctive: [], short: [] };
  for (const value of waiting) {
    if (typeof value === 'boolean' || value === null) continue;
    if (typeof value === 'object') {
      if (waiting.length < maxValues) waiting.push(...Object.values(value).slice(0, maxValues));
      continue;
    }
    comparison.left -= valueCost;
    const { words, letters } = foldWords(String(value).slice(0, maxValueLength), 4 * maxValueLength);
    if (letters === '') continue;
    const isDistinctive = typeof value === 'string' && (letters.length > 2 || /\p{Script=Han}{2}/u.test(letters));
    values[isDistinctive ? 'distinctive' : 'short'].push(words);
  }
  return values;
}

function defaultOf(properties: JsonValue | undefined, name: string): JsonValue | undefined {
  const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(schema) ? schema['default'] : undefined;
}
