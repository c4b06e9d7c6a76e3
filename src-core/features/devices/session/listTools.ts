import { ToolError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { DeviceLimits } from '../limits.ts';
import { unknownType } from '../../../schema/unknownType.ts';
import { readTool, type ListedTool } from './readTool.ts';
import type { RpcAnswer } from '../wire/rpcPeer.ts';

/** The tools that were received, and what is wrong with the list. */
export interface ToolList {
  tools: ListedTool[];
  /** Why it ended early, then what is wrong with its entries; each a sentence. */
  problems: string[];
  /** It did not end early. */
  isWhole: boolean;
  /** Whether the device may have a tool of this name that is not in `tools`: an entry of this name or without one is invalid. */
  mayHave: (name: string) => boolean;
  /** Pages received. */
  pages: number;
}

/** Problems that are kept: a page may hold a million entries that are not tools. */
const maxProblems = 100;

/**
 * Requests tools/list page by page (docs/protocols/device-mcp.md). After an error on a later page, the tools so far are
 * returned with the problem. A repeated cursor, too many pages, tools or characters end the list. Rejects if the first
 * page fails, and if `requestPage` rejects with a cancellation or a disconnection.
 */
export async function listTools(options: {
  requestPage: (params: JsonObject) => Promise<RpcAnswer>;
  /** Also list tools for the user only; the same for every page, since another list has other pages. */
  withUserTools: boolean;
  limits: Pick<DeviceLimits, 'maxPages' | 'maxTools' | 'maxListChars'>;
}): Promise<ToolList> {
  const { requestPage, withUserTools, limits } = options;
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  const addProblem = (problem: string): void => void (problems.length < maxProblems && problems.push(problem));
  /** Names of tools that are listed twice. They are one problem: a device that sends a page again repeats all of them. */
  const twice = new Set<string>();
  const invalidNames = new Set<string | undefined>();
  const seen = new Set<string>();
  const end = (problem?: string): ToolList => ({
    tools: [...tools.values()],
    // The reason for the end is among the few that are shown.
    problems: [...(problem === undefined ? [] : [problem]), ...doubled(twice), ...problems],
    isWhole: problem === undefined,
    mayHave: (name) => problem !== undefined || invalidNames.has(undefined) || invalidNames.has(name),
    pages,
  });
  let cursor = '';
  let chars = 0;
  let pages = 0;

  for (let page = 1; page <= limits.maxPages; page += 1) {
    let answer: RpcAnswer;
    try {
      answer = await requestPage({ cursor, withUserTools });
    } catch (error) {
      const goesOn = error instanceof ToolError && (error.code === 'timeout' || error.code === 'protocol-error');
      if (page === 1 || !goesOn) throw error;
      return end(
        error.code === 'timeout'
          ? `Page ${page} did not arrive in time.`
          : `Page ${page} cannot be read; the log has its frame.`,
      );
    }
    if (!answer.ok) {
      if (page === 1) throw new ToolError('tool-error', `tools/list was answered with an error: ${answer.message}`);
      return end(`Page ${page} was answered with the error “${answer.message}”.`);
    }
    const result = answer.result;
    if (!isJsonObject(result) || !Array.isArray(result['tools'])) {
      if (page === 1) throw new ToolError('protocol-error', 'tools/list was answered without a list "tools".');
      return end(`Page ${page} has no list "tools".`);
    }
    pages = page;
    chars += answer.chars;
    if (chars > limits.maxListChars) return end(`The list is longer than ${limits.maxListChars} characters.`);
    for (const entry of result['tools']) {
      const tool = readTool(entry);
      if (typeof tool === 'string') {
        addProblem(tool);
        const name = isJsonObject(entry) ? entry['name'] : undefined;
        invalidNames.add(typeof name === 'string' && name !== '' ? name : undefined);
        continue;
      }
      if (tools.size >= limits.maxTools) return end(`The list has more than ${limits.maxTools} tools.`);
      const type = unknownType(tool.inputSchema);
      if (type !== undefined) addProblem(`The inputSchema of "${tool.name}" has the unknown type ${type}.`);
      if (tools.has(tool.name)) twice.add(tool.name);
      else tools.set(tool.name, tool);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === '') return end();
    if (seen.has(next))
      return end(`The cursor "${next.slice(0, 64)}" was sent twice; a tool may be too large for a page.`);
    seen.add(next);
    cursor = next;
  }
  return end(`The list has more than ${limits.maxPages} pages.`);
}

function doubled(names: ReadonlySet<string>): string[] {
  const [name] = names;
  if (name === undefined) return [];
  if (names.size === 1) return [`"${name}" is listed twice; the first one is used.`];
  return [`Tools are listed twice (${names.size}, such as "${name}"); the first one of each is used.`];
}
