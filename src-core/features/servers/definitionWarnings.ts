import { nameHidden, splitHidden } from '../../base/hiddenCharacters.ts';
import type { JsonValue } from '../../base/json.ts';
import { pinnedFields, type ToolWarning } from '../../contract/serverTools.ts';
import type { ListedTool } from '../../mcp/types.ts';

/** Characters of a description beyond which hosts cut it, and users do not read it. */
const longDescription = 2_000;
/** Characters that are looked through. */
const maxSearched = 20_000;
const maxNamed = 3;
const maxHidden = 200;
/** Levels of a schema that are looked through. */
const maxDepth = 12;

/** What a description has no reason to say: orders to a model rather than words about the tool. */
const instructions = [
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules|prompts?)\b/i,
  /\b(?:do not|don['’]t|never)\s+(?:tell|inform|mention|show|reveal)\b.{0,40}/i,
  /\b(?:before|whenever|each time)\s+(?:you\s+)?(?:us(?:e|ing)|call(?:ing)?|answer(?:ing)?|respond(?:ing)?)\b.{0,60}\b(?:must|always|first|read|send)\b/i,
  /\byou\s+(?:must|should|have to)\s+(?:always|first|also)\b.{0,40}/i,
  /<\/?(?:important|system|instructions?|secret)\b[^>]{0,40}>/i,
  /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|config|env|gnupg)\b/i,
  /(?:忽略|无视).{0,10}(?:指令|指示|规则|提示)/,
  /(?:不要|不得|切勿).{0,6}(?:告诉|告知|提及|透露)[^，。；！？\n]{0,6}/,
];

/** The warnings of a definition, given the present names of other servers' tools. */
export type WarningsBeside = (others: ReadonlySet<string>) => ToolWarning[];

/** Why the user should read the definition of a tool before models get it. */
export function definitionWarnings(tool: ListedTool): WarningsBeside {
  const { name, description, title = '', inputSchema } = tool;
  const written = [title, description, ...descriptionsIn(inputSchema)].join('\n').slice(0, maxSearched);
  const text = splitHidden(written).reduce((seen, part) => ('text' in part ? seen + part.text : seen), '');
  const order = instructions.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  const words = new Set(text.match(/[A-Za-z][\w.-]{3,}\w/g)?.filter((word) => word !== name && isToolName(word)));
  const hidden = [...hiddenIn(tool)].join(', ').slice(0, maxHidden);
  const own: ToolWarning[] = [
    ...(hidden === '' ? [] : [{ code: 'hidden' as const, part: hidden }]),
    ...(description.length > longDescription ? [{ code: 'long' as const, part: String(description.length) }] : []),
    ...(order === undefined ? [] : [{ code: 'instruction' as const, part: order.trim().slice(0, 100) }]),
  ];
  return (others) => {
    const named = [...words].filter((word) => others.has(word));
    return named.length === 0 ? own : [...own, { code: 'other-tool', part: named.slice(0, maxNamed).join(', ') }];
  };
}

/** The names of the hidden characters in what the user accepts of a tool. */
export function hiddenIn({ name, definition }: ListedTool): Set<string> {
  const fields = pinnedFields.flatMap((field) => definition[field] ?? []);
  const names = new Set<string>();
  for (const text of textsIn([name, ...fields])) {
    for (const part of splitHidden(text)) if ('hidden' in part) names.add(nameHidden(part.hidden));
  }
  return names;
}

/** The strings of a value, and the names of its members. */
function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.entries(value).flat()) yield* textsIn(each);
}

/** The descriptions of parameters, which models read as well. */
function* descriptionsIn(schema: JsonValue | undefined, depth = 0): Generator<string> {
  if (depth > maxDepth || typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' && typeof value === 'string') yield value;
    else yield* descriptionsIn(value, depth + 1);
  }
}

/** A common word such as “search” does not refer to a tool of that name. */
function isToolName(word: string): boolean {
  return /[_.-]|[a-z][A-Z]/.test(word);
}
