import type { MethodView, ToolView } from '../../../src-core/contract/types.ts';
import { language } from '../../i18n/index.ts';
import { sourceName, toolName } from '../../ui/format/sourceName.ts';
import type { ToolMethod } from './toolCopy.ts';
import { foldText } from '../../ui/search/matchWords.ts';
import { createRanking, createScorer, lastOfRank, type SearchTexts } from '../../ui/search/rankMatches.ts';

/** What a search looks at in a method: its names, its description and its parameters. */
function methodTexts(method: MethodView): SearchTexts {
  const { name, displayName, protocolConfig, qualifiedName, description, parameters } = method;
  return {
    fullName: foldText(qualifiedName),
    names: fold([name, displayName, protocolConfig?.vcpCommand]),
    about: fold([description, ...parameters.flatMap((each) => [each.name, each.description])]).join('\n'),
  };
}

/** What a search looks at in a tool. */
interface ToolTexts {
  own: SearchTexts;
  /** Of its methods, in their order. */
  methods: readonly SearchTexts[];
  /** The names and the words of all of them. */
  all: SearchTexts;
}

let known = new WeakMap<ToolView, ToolTexts>();
let knownIn = language.value;

/** What a search looks at in a tool. Made once in a language. */
export function toolTexts(tool: ToolView): ToolTexts {
  // The name of a gateway's client depends on the language.
  if (knownIn !== language.value) [knownIn, known] = [language.value, new WeakMap()];
  const made = known.get(tool);
  if (made !== undefined) return made;
  const { id, name, source, description } = tool;
  const own = {
    fullName: foldText(id),
    names: [...new Set(fold([toolName(tool), name, source.label, sourceName(source), source.node]))],
    about: fold([description, source.kind]).join('\n'),
  };
  const methods = tool.methods.map(methodTexts);
  const each: SearchTexts[] = [own, ...methods];
  const parts = each.flatMap(({ fullName = '', names, about }) => [fullName, ...names, about].join('_').split(/[_\n]/));
  const all = { names: [...new Set(each.flatMap(({ names }) => names))], about: [...new Set(parts)].join('\n') };
  const texts = { own, methods, all };
  known.set(tool, texts);
  return texts;
}

function fold(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined && text !== '').map((text) => foldText(text ?? ''));
}

/**
 * Returns what scores the methods of a tool for the words, each in itself and in its tool: a dangerous one last of its
 * rank, an unusable one last of all. Empty if the tool lacks a word.
 */
export function createMethodScorer(words: readonly string[]): (tool: ToolView) => readonly number[] {
  const score = createScorer(words);
  const typed = words.join(' ');
  const parts = words.flatMap((word) => foldText(word).split('_'));
  return (tool) => {
    const { own, methods, all } = toolTexts(tool);
    if (!parts.every((part) => all.about.includes(part))) return [];
    return tool.methods.map(({ qualifiedName, error, asksFirst }, at) => {
      let found = score(methods[at] ?? own, own);
      // Of names that differ only in their separators, the one that was typed is first.
      if (found > 0 && qualifiedName.toLowerCase() === typed) found += 1;
      // Enter opens the first: of equals that is none that can do harm.
      if (error !== undefined) return found / 1e6;
      return asksFirst === undefined ? found : lastOfRank(found);
    });
  };
}

/** The methods that have every word in themselves or in their tool, best first, each with its score. */
export function findMethods(
  tools: readonly ToolView[],
  { words, limit }: { words: readonly string[]; limit: number },
): { item: ToolMethod; score: number }[] {
  const scoresOf = createMethodScorer(words);
  const ranking = createRanking<ToolMethod>(limit);
  for (const tool of tools) {
    scoresOf(tool).forEach((score, at) => {
      const method = tool.methods[at];
      if (method !== undefined) ranking.add({ tool, method }, score);
    });
  }
  const best = ranking
    .best()
    .sort((a, b) => b.score - a.score || (a.item.method.qualifiedName < b.item.method.qualifiedName ? -1 : 1));
  const names = new Set<string>();
  // Methods of two tools may have the same qualified name.
  return best.filter(({ item }) => !names.has(item.method.qualifiedName) && names.add(item.method.qualifiedName));
}
