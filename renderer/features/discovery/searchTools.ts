import type { MethodView, ToolView } from '../../../src-core/contract/types.ts';
import { language } from '../../i18n/index.ts';
import { sourceName, toolName } from '../../ui/format/sourceName.ts';
import type { ToolMethod } from './toolCopy.ts';
import { foldText } from '../../ui/search/matchWords.ts';
import { bestMatches, createScorer, lastOfRank, type SearchTexts } from '../../ui/search/rankMatches.ts';

const known = new WeakMap<MethodView, SearchTexts>();

/** What a search looks at in a method: its names, its description and its parameters. Made once. */
function methodTexts(method: MethodView): SearchTexts {
  let texts = known.get(method);
  if (texts === undefined) {
    const { name, displayName, protocolConfig, qualifiedName, description, parameters } = method;
    texts = {
      fullName: foldText(qualifiedName),
      names: fold([name, displayName, protocolConfig?.vcpCommand]),
      about: fold([description, ...parameters.flatMap((each) => [each.name, each.description])]).join('\n'),
    };
    known.set(method, texts);
  }
  return texts;
}

let knownTools = new WeakMap<ToolView, { own: SearchTexts; all: SearchTexts }>();
let knownIn = language.value;

/** What a search looks at in a tool: its `own` texts, and the words of `all`, its methods' too. Made once in a language. */
export function toolTexts(tool: ToolView): { own: SearchTexts; all: SearchTexts } {
  // The name of a gateway's client depends on the language.
  if (knownIn !== language.value) [knownIn, knownTools] = [language.value, new WeakMap()];
  const made = knownTools.get(tool);
  if (made !== undefined) return made;
  const { id, name, source, description } = tool;
  const own = {
    fullName: foldText(id),
    names: [...new Set(fold([toolName(tool), name, source.label, sourceName(source)]))],
    about: fold([description, source.kind]).join('\n'),
  };
  const each: SearchTexts[] = [own, ...tool.methods.map(methodTexts)];
  const parts = each.flatMap(({ fullName = '', names, about }) => [fullName, ...names, about].join('_').split(/[_\n]/));
  const all = { names: [...new Set(each.flatMap(({ names }) => names))], about: [...new Set(parts)].join('\n') };
  knownTools.set(tool, { own, all });
  return { own, all };
}

function fold(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined && text !== '').map((text) => foldText(text ?? ''));
}

/** Returns what scores a method for the words, in itself and in its tool: a dangerous one last of its rank, an unusable one last of all. */
export function createMethodScorer(words: readonly string[]): (entry: ToolMethod) => number {
  const score = createScorer(words);
  const typed = words.join(' ');
  const parts = words.flatMap((word) => foldText(word).split('_'));
  let last: ToolView | undefined;
  let own: SearchTexts | undefined;
  return ({ tool, method }) => {
    // The methods of a tool follow one another. A tool that lacks a word is left out as a whole.
    if (tool !== last) {
      const texts = toolTexts(tool);
      own = parts.every((part) => texts.all.about.includes(part)) ? texts.own : undefined;
      last = tool;
    }
    if (own === undefined) return 0;
    let found = score(methodTexts(method), own);
    // Of names that differ only in their separators, the one that was typed is first.
    if (found > 0 && method.qualifiedName.toLowerCase() === typed) found += 1;
    // Enter opens the first: of equals that is none that can do harm.
    if (method.error !== undefined) return found / 1e6;
    return method.asksFirst === undefined ? found : lastOfRank(found);
  };
}

/** The methods that have every word in themselves or in their tool, best first, each with its score. */
export function findMethods(
  entries: readonly ToolMethod[],
  { words, limit }: { words: readonly string[]; limit: number },
): { item: ToolMethod; score: number }[] {
  const score = createMethodScorer(words);
  return bestMatches(entries, { words, limit, key: ({ method }) => method.qualifiedName, score });
}
