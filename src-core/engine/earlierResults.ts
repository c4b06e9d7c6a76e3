import type { ToolExecutionResult } from '../tools/calls.ts';
import { onlyReads } from '../tools/dangerousTools.ts';
import { decodeEscapes } from '../tools/decodeEscapes.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../tools/json.ts';
import { plainText } from '../tools/plainText.ts';

/** A model's call, resolved to the method that it means. */
export interface CallToCompare {
  toolId: string;
  methodName: string;
  args: JsonObject;
  inputSchema: JsonSchema;
}

/** A text in the form in which it is searched. */
interface FoldedText {
  /** Plain letters and digits in lower case, with one space for everything between them. */
  words: string;
  /** The same without spaces: a name matches however its words are separated. */
  letters: string;
}

/**
 * The tool results and the user's messages of a conversation. A model that calls what a result told it to call may be
 * steered by that tool, so such a call asks the user first. This recognises literal copies; it is a warning, not a
 * protection.
 */
export interface EarlierResults {
  /** Texts that were compared, so that the next turn does not fold them again. */
  readonly folded: ReadonlyMap<string, FoldedText>;
  /** Adds what a tool returned. What Toolwire itself says about a call, such as a refusal or a timeout, does not count. */
  add(result: Pick<ToolExecutionResult, 'toolName' | 'status' | 'result' | 'error'>): void;
  /** Adds a message of the user. A value that the user wrote does not count as a tool's. */
  addUserText(text: string): void;
  /** Why a call must be confirmed, in a sentence; `undefined` if it need not be. */
  suspicionOf(call: CallToCompare): string | undefined;
}

/** Characters of the start of a text that are compared, and of its end. */
const maxHalf = 32_768;
/** Characters of results that are kept, and of the user's messages; the oldest are dropped first. */
const maxKept = 262_144;
/** Values of a call that are compared, and characters of each. */
const maxValues = 50;
const maxValueLength = 200;

/** Members of a written call. With one of them, a name of one word, such as `play`, is a call. */
const callMarks = ['tool name', 'tool call', 'tool use', 'command', 'method', 'arguments'];

/** Makes an empty list, which takes folded texts over from the list of an earlier turn. */
export function createEarlierResults(earlier?: EarlierResults): EarlierResults {
  const results = createTextList();
  const userTexts = createTextList();
  const before = earlier?.folded;
  const folded = new Map<string, FoldedText>();
  function read(text: string): FoldedText {
    const found = folded.get(text) ?? before?.get(text) ?? foldText(text);
    folded.set(text, found);
    return found;
  }

  return {
    folded,
    add({ toolName, status, result, error }) {
      if (status !== 'success' && error?.code !== 'tool-error') return;
      for (const dropped of results.add(result, toolName)) folded.delete(dropped);
    },
    addUserText(text) {
      for (const dropped of userTexts.add(text, '')) folded.delete(dropped);
    },
    suspicionOf({ toolId, methodName, args, inputSchema }) {
      if (onlyReads(methodName)) return undefined;
      // A tool that repeats its own calls does not steer the model to another tool.
      const others = results.list
        .filter(({ source }) => source !== `${toolId}_${methodName}`)
        .map(({ source, text }) => ({ source, ...read(text) }));
      const namingOf = nameTest(toolId, methodName);
      const naming = others.filter((text) => namingOf(text) !== 'none');
      if (naming.length === 0) return undefined;
      const users = userTexts.list.map(({ text }) => read(text));
      const values = valuesOf(args, inputSchema);
      const untold = values.distinctive.filter((value) => !users.some(({ words }) => occurs(value, words)));
      const found = naming.find((text) => {
        const isCall = namingOf(text) === 'call';
        // Words that also occur in prose count only next to a value.
        const texts = isCall ? others : [text];
        if (values.distinctive.length > 0)
          return untold.some((value) => texts.some(({ words }) => occurs(value, words)));
        if (!isCall || users.some((user) => namingOf(user) !== 'none')) return false;
        return values.short.every((value) => others.some(({ words }) => occurs(value, words)));
      });
      return (
        found &&
        `This call's text occurs in an earlier result of "${found.source}": the tool may be steering the model.`
      );
    },
  };
}

/** The newest texts, each cut to its start and its end. `add` returns what it drops. */
function createTextList() {
  const list: { source: string; text: string }[] = [];
  let kept = 0;
  return {
    list,
    add(text: string, source: string): string[] {
      const ends = cutMiddle(text);
      list.push({ source, text: ends });
      kept += ends.length;
      let count = 0;
      while (kept > maxKept) kept -= list[count++]?.text.length ?? kept;
      return list.splice(0, count).map((dropped) => dropped.text);
    },
  };
}

function cutMiddle(text: string): string {
  return text.length <= 2 * maxHalf ? text : `${text.slice(0, maxHalf)}\n${text.slice(-maxHalf)}`;
}

/** Folds a text as it is and, if it has escapes, with them decoded: `C:\new` is a path or has a line break. */
function foldText(text: string): FoldedText {
  const decoded = decodeEscapes(text) ?? text;
  const words = ` ${decoded === text ? fold(text) : `${fold(text)} ${fold(decoded)}`} `;
  return { words, letters: words.replaceAll(' ', '') };
}

function fold(text: string): string {
  return cutMiddle(plainText(text))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether words occur in folded text as words. Chinese has no spaces, so its words may stand next to any letter. */
function occurs(value: string, words: string): boolean {
  for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!isInWord(words.slice(at - 1, at + 1)) && !isInWord(words.slice(end - 1, end + 1))) return true;
  }
  return false;
}

function isInWord(pair: string): boolean {
  return /^(?:[^\P{L}\p{Script=Han}]{2}|\p{N}{2})$/u.test(pair);
}

/** How a text names a method: as in a call, by single words that also occur in prose, or not at all. */
type Naming = 'call' | 'words' | 'none';

/** Makes the test of how texts name a method. Separators do not count: `self.light.on`, `self light on`. */
function nameTest(toolId: string, methodName: string): (text: FoldedText) => Naming {
  const method = fold(methodName);
  const tool = fold(toolId);
  const whole = `${tool}${method}`.replaceAll(' ', '');
  const isOneWord = !method.includes(' ') && !/[a-z][A-Z]/.test(methodName);
  const apart = `${tool} ${method}`.split(' ').filter((word) => word !== '');
  return ({ words, letters }) => {
    if (letters.includes(isOneWord ? whole : method.replaceAll(' ', ''))) return 'call';
    if (!isOneWord || !apart.every((word) => occurs(word, words))) return 'none';
    return callMarks.some((mark) => words.includes(` ${mark} `)) ? 'call' : 'words';
  };
}

/**
 * The folded values of a call: distinctive texts, and short texts and numbers. Booleans, nulls and the schema's defaults
 * tell nothing of where they come from.
 */
function valuesOf(args: JsonObject, inputSchema: JsonSchema): { distinctive: string[]; short: string[] } {
  const waiting: JsonValue[] = Object.entries(args)
    .slice(0, maxValues)
    .filter(([name, value]) => value !== defaultOf(inputSchema['properties'], name))
    .map(([, value]) => value);
  const values = { distinctive: [] as string[], short: [] as string[] };
  for (const value of waiting) {
    if (typeof value === 'boolean' || value === null) continue;
    if (typeof value === 'object') {
      if (waiting.length < maxValues) waiting.push(...Object.values(value).slice(0, maxValues));
      continue;
    }
    const text = fold(String(value).slice(0, maxValueLength));
    if (text === '') continue;
    const isDistinctive = typeof value === 'string' && (text.length > 2 || /\p{Script=Han}{2}/u.test(text));
    values[isDistinctive ? 'distinctive' : 'short'].push(text);
  }
  return values;
}

function defaultOf(properties: JsonValue | undefined, name: string): JsonValue | undefined {
  const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(schema) ? schema['default'] : undefined;
}
