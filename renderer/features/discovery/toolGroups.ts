import type { MethodView, ToolSourceKind, ToolView } from '../../../src-core/contract/types.ts';
import { toolName } from '../../ui/format/sourceName.ts';
import { createScorer } from '../../ui/search/rankMatches.ts';
import { isCallableIn, isForModels } from '../calls/vcpReason.ts';
import { createMethodScorer, toolTexts } from './searchTools.ts';

/** The order of the groups: what the user has added first. */
export const sourceOrder: readonly ToolSourceKind[] = ['device', 'mcp', 'module', 'gateway', 'builtin'];

/** By source: in groups, each by name. By name or number of methods: all tools in one list. */
export type ToolOrder = 'source' | 'name' | 'methods';

/** How tools are shown. */
export type ToolLayout = 'cards' | 'rows';

/** Which methods are listed: all, those that models can call, the others. */
export type Audience = 'all' | 'models' | 'notModels';

/** Which tools of a cluster are listed: those of all nodes, of this one, or of those with a name. */
export type NodeFilter = 'all' | 'own' | `@${string}`;

/** The filter that leaves the tools of the node that has this tool. */
export function nodeFilterOf({ source: { node } }: Pick<ToolView, 'source'>): NodeFilter {
  return node === undefined ? 'own' : `@${node}`;
}

/** A tool in the list, with those of its methods that the search and the filter leave; the best match first. */
export interface ToolEntry {
  tool: ToolView;
  methods: MethodView[];
  /** It was registered until recently. */
  gone: boolean;
}

export interface ToolGroup {
  /** `null`: tools of all sources. */
  kind: ToolSourceKind | null;
  entries: ToolEntry[];
}

/** Why models cannot call a method in the protocol of new chats; `undefined` if they can. */
export function keptFromModels(tool: ToolView, method: MethodView, protocol: string) {
  if (!isForModels(method)) return 'source';
  if (!tool.enabled) return 'off';
  return isCallableIn(protocol, method) ? undefined : 'vcp';
}

/** What is listed. */
export interface ToolFilter {
  words: readonly string[];
  audience: Audience;
  node: NodeFilter;
  /** The protocol of new chats. */
  protocol: string;
}

/** A tool that answers, and how well: the score of its best method. */
interface Found extends ToolEntry {
  score: number;
}

/** The tools that answer the search and the filter, of all sources, in the order in which they registered. */
export function findTools(options: ToolFilter & { tools: readonly ToolView[]; gone: readonly ToolView[] }): Found[] {
  const { tools, gone, words, audience, node, protocol } = options;
  const scoreTool = createScorer(words);
  const scoresOf = createMethodScorer(words);
  const isWhole = words.length === 0 && audience === 'all';
  const isOffered = (tool: ToolView, method: MethodView): boolean =>
    audience === 'all' || (keptFromModels(tool, method, protocol) === undefined) === (audience === 'models');
  const find = (tool: ToolView, isGone: boolean): Found[] => {
    if (node !== 'all' && node !== nodeFilterOf(tool)) return [];
    // The same array at each change, so that a list of it stays as it is.
    if (isWhole) return [{ tool, methods: tool.methods, gone: isGone, score: 1 }];
    const scores = words.length === 0 ? tool.methods.map(() => 1) : scoresOf(tool);
    const methods = scores
      .flatMap((score, at) => {
        const method = tool.methods[at];
        return method !== undefined && score > 0 && isOffered(tool, method) ? [{ method, score }] : [];
      })
      .sort((a, b) => b.score - a.score);
    // A tool without methods is found by its name or its error, but not by a filter of methods.
    const alone = (): number => (tool.methods.length > 0 || audience !== 'all' ? 0 : scoreTool(toolTexts(tool).own));
    const score = methods[0]?.score ?? alone();
    return score === 0 ? [] : [{ tool, methods: methods.map(({ method }) => method), gone: isGone, score }];
  };
  return [...tools.flatMap((tool) => find(tool, false)), ...gone.flatMap((tool) => find(tool, true))];
}

/** What was found, of one source or of all, in groups. While a search is on, better matches come first. */
export function toolGroups(
  found: readonly Found[],
  { kind, order, language }: { kind: ToolSourceKind | null; order: ToolOrder; language: string },
): ToolGroup[] {
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const sorted = found
    .filter(({ tool }) => kind === null || tool.source.kind === kind)
    .sort(
      (a, b) =>
        b.score - a.score ||
        (order === 'methods' ? b.methods.length - a.methods.length : 0) ||
        collator.compare(toolName(a.tool), toolName(b.tool)) ||
        collator.compare(a.tool.id, b.tool.id),
    );
  if (sorted.length === 0) return [];
  if (order !== 'source') return [{ kind: null, entries: sorted }];
  const best = new Map(
    sourceOrder.map((source) => [source, sorted.find(({ tool }) => tool.source.kind === source)?.score ?? 0]),
  );
  return [...best]
    .filter(([, score]) => score > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([source]) => ({ kind: source, entries: sorted.filter(({ tool }) => tool.source.kind === source) }));
}

/** What a card says of the methods of its tool. */
export interface CardMethods {
  methods: MethodView[];
  /** The tool of a card before it that has the same methods: then none is listed. */
  like?: ToolView;
}

/** Methods that a card lists before it counts the rest. */
export const cardMethods = 3;

/**
 * The methods on the cards, by tool id: the first ones, after those that cannot be used. A board with the methods of a board
 * before it names that board; one whose list `isWhole` does not accept is compared with none. While a search is on, the best
 * matches are listed.
 */
export function cardContents(
  groups: readonly ToolGroup[],
  isSearch: boolean,
  isWhole: (tool: ToolView) => boolean = () => true,
): Map<string, CardMethods> {
  const boards = new Map<string, ToolView>();
  const contentOf = ({ tool, methods }: ToolEntry): CardMethods => {
    const broken = isSearch ? [] : methods.filter(({ error }) => error !== undefined);
    const shown = [...new Set([...broken, ...methods])].slice(0, cardMethods);
    const isCompared = !isSearch && tool.source.kind === 'device' && methods.length > 0 && isWhole(tool);
    if (!isCompared || broken.length > 0 || tool.error !== undefined) return { methods: shown };
    const key = methods
      .map(({ name }) => name)
      .sort()
      .join('\n');
    const like = boards.get(key);
    if (like !== undefined) return { methods: [], like };
    boards.set(key, tool);
    return { methods: shown };
  };
  return new Map(groups.flatMap(({ entries }) => entries.map((entry) => [entry.tool.id, contentOf(entry)] as const)));
}
