import { exampleValue } from '../../registry/exampleValue.ts';
import type { JsonObject } from '../../base/json.ts';
import { methodParameters } from '../../registry/methodParameters.ts';
import type { ChatTool } from './chatModel.ts';

/** Characters of a question, and of a description, that are compared. */
const maxCompared = 2_000;

/** The client's own tool that a question names by most of its words; the newest if it names none. */
export function pickClientTool(question: string, tools: readonly ChatTool[]): ChatTool | undefined {
  const asked = wordsOf(question);
  let best: ChatTool | undefined;
  let most = -1;
  for (const tool of tools) {
    if (!tool.isClients) continue;
    const words = wordsOf(`${tool.name} ${tool.description}`);
    const shared = [...asked].filter((word) => words.has(word)).length;
    if (shared >= most) [best, most] = [tool, shared];
  }
  return best;
}

/** A value for each parameter that a tool needs. */
export function exampleArguments({ parameters }: ChatTool): JsonObject {
  const needed = methodParameters(parameters).filter(({ required }) => required);
  return Object.fromEntries(needed.map((parameter) => [parameter.name, exampleValue(parameter)]));
}

/** Words of three letters or more, and pairs of Chinese characters. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text
    .slice(0, maxCompared)
    .toLowerCase()
    .matchAll(/\p{Script=Han}+|[a-z]{3,}/gu)) {
    if (/[a-z]/.test(run)) words.add(run);
    else for (let at = 0; at + 2 <= run.length; at += 1) words.add(run.slice(at, at + 2));
  }
  return words;
}
