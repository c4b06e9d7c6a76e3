import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { HostOffer, HostToolCall } from './hostServer.ts';

/** Tools of one answer of `find_tool`. */
const maxFound = 10;
const maxQuery = 500;

/** Offers, while `isOn`, two tools in place of the list: one that searches it, and one that calls a tool of it. */
export function searchOffer(offer: HostOffer, isOn: () => boolean): HostOffer {
  const tools = (): Tool[] => (isOn() ? [findTool, callTool(offer.tools())] : offer.tools());
  return {
    ...offer,
    tools,
    tool: (name) => (isOn() ? tools().find((tool) => tool.name === name) : offer.tool(name)),
    async call(call) {
      if (!isOn()) return offer.call(call);
      if (call.name === findTool.name) return find(offer.tools(), call.args);
      if (call.name !== callToolName) return undefined;
      return callFound(offer, call);
    },
  };
}

const findTool: Tool = {
  name: 'find_tool',
  title: 'Find a tool',
  description:
    'Searches the tools of Toolwire: devices, modules and MCP servers. Returns the best matches with their names, descriptions and ' +
    'input schemas. Without a query it returns all names. Call a tool that you found with call_tool.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', maxLength: maxQuery, description: 'Words of what the tool does, or its name' },
    },
  },
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};

const callToolName = 'call_tool';

function callTool(tools: readonly Tool[]): Tool {
  return {
    name: callToolName,
    title: 'Call a tool',
    description: 'Calls a tool that find_tool returned.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the tool, as find_tool returned it' },
        arguments: { type: 'object', description: 'Arguments that fit the input schema of the tool' },
      },
      required: ['name'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: tools.some(({ annotations }) => annotations?.destructiveHint === true),
      openWorldHint: tools.some(({ annotations }) => annotations?.openWorldHint === true),
    },
  };
}

function find(tools: readonly Tool[], { query = '' }: JsonObject): CallToolResult {
  if (typeof query !== 'string' || query.length > maxQuery)
    return failure(`"query" must be a string of at most ${maxQuery} characters.`);
  const words = wordsOf(query);
  if (words.length === 0) return answer(tools.map(({ name }) => name).join('\n'));
  const found = tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
  if (found.length > 0) return answer(JSON.stringify(found, null, 2));
  return answer('No tool matches. Use other words, or call find_tool without a query for all names.');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word counts three times in a name. An exact name comes first. */
function scoreOf({ name, title = '', description = '' }: Tool, words: readonly string[]): number {
  const named = `${name} ${title}`.toLowerCase();
  const described = description.toLowerCase();
  const exact = words.join('_') === name.toLowerCase() ? 100 : 0;
  return words.reduce((sum, word) => sum + (named.includes(word) ? 3 : 0) + (described.includes(word) ? 1 : 0), exact);
}

async function callFound(offer: HostOffer, call: HostToolCall): Promise<CallToolResult> {
  const { name, arguments: args = {} } = call.args;
  if (typeof name !== 'string') return failure('"name" is missing: the name of a tool that find_tool returned.');
  if (!isJsonObject(args)) return failure('"arguments" is an object that fits the input schema of the tool.');
  const result = await offer.call({ ...call, name, args });
  if (result !== undefined) return result;
  const reason = await offer.refuse({ ...call, name, args });
  return failure(`${reason} ${findTool.name} returns the tools that can be called.`);
}

function answer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function failure(text: string): CallToolResult {
  return { ...answer(text), isError: true };
}
