import type { MethodView, ToolView } from '../../../src-core/contract/types.ts';
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

/** What a search looks at in a tool. Not kept: the name of a gateway's client depends on the language. */
export function toolTexts(tool: ToolView): SearchTexts {
  const { id, name, source, description } = tool;
  return {
    fullName: foldText(id),
    names: [...new Set(fold([toolName(tool), name, source.label, sourceName(source)]))],
    about: fold([description, source.kind]).join('\n'),
  };
}

function fold(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined && text !== '').map((text) => foldText(text ?? ''));
}

/** Returns what scores a method for the words, in itself and in its tool: a dangerous one last of its rank, an unusable one last of all. */
export function createMethodScorer(words: readonly string[]): (entry: ToolMethod) => number {
  const score = createScorer(words);
  const typed = words.join(' ');
  const tools = new Map<ToolView, SearchTexts>();
  const textsOf = (tool: ToolView): SearchTexts => {
    const texts = tools.get(tool) ?? toolTexts(tool);
    tools.set(tool, texts);
    return texts;
  };
  return ({ tool, method }) => {
    // Of names that differ only in their separators, the one that was typed is first.
    const isTyped = method.qualifiedName.toLowerCase() === typed;
    const found = score(methodTexts(method), textsOf(tool)) + (isTyped ? 1 : 0);
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

/** All texts that a search for tools looks at. */
export function textsOfTools(tools: readonly ToolView[]): SearchTexts[] {
  return tools.flatMap((tool) => [toolTexts(tool), ...tool.methods.map(methodTexts)]);
}
