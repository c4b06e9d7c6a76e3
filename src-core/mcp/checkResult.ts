import { isSpecType } from '@modelcontextprotocol/client';

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { McpError } from './errors.ts';
import type { CallToolAnswer } from './types.ts';

/** Reads the result of a call. @throws {McpError} `invalid-answer`, with the result as `data`, if it is not a valid `CallToolResult`. */
export function toCallAnswer(result: JsonObject): CallToolAnswer {
  const { content, structuredContent, isError } = requireResult('tools/call', result);
  return {
    content: Array.isArray(content) ? content : [],
    ...(structuredContent !== undefined && { structuredContent }),
    isError: isError === true,
    result,
  };
}

/** Returns a result that is valid for its method. @throws {McpError} `invalid-answer`, with the result as `data`, if it is not valid. */
export function requireResult(method: keyof typeof checks, result: JsonObject): JsonObject {
  const { faultOf, toText } = checks[method];
  const fault = faultOf(result);
  if (fault !== undefined) throw new McpError('invalid-answer', toText(fault), { data: result });
  return result;
}

/** Returns whether a result is valid for its method. True for methods whose results are not checked. */
export function isResultOf(method: string, result: JsonObject): boolean {
  return !isChecked(method) || checks[method].faultOf(result) === undefined;
}

const checks = {
  'tools/call': {
    faultOf: faultOfCall,
    toText: (fault: string) => `The result is not a valid CallToolResult: ${fault}. The tool has run.`,
  },
  'resources/read': {
    faultOf: ({ contents }: JsonObject) => faultOfList('contents', contents, isResource),
    toText: (fault: string) => `The result is not a valid ReadResourceResult: ${fault}.`,
  },
  'prompts/get': {
    faultOf: ({ messages }: JsonObject) => faultOfList('messages', messages, isMessage),
    toText: (fault: string) => `The result is not a valid GetPromptResult: ${fault}.`,
  },
};

function isChecked(method: string): method is keyof typeof checks {
  return Object.hasOwn(checks, method);
}

/** Parts of another type may be of a later revision. */
const partTypes: readonly unknown[] = ['text', 'image', 'audio', 'resource', 'resource_link'];

function faultOfCall({ content, structuredContent, isError }: JsonObject): string | undefined {
  if (content === undefined && structuredContent === undefined) return 'content is missing';
  const fault = content === undefined ? undefined : faultOfList('content', content, isPart);
  if (fault !== undefined) return fault;
  return isError === undefined || typeof isError === 'boolean' ? undefined : 'isError is not a boolean';
}

function faultOfList(
  name: string,
  list: JsonValue | undefined,
  isValid: (item: JsonValue) => boolean,
): string | undefined {
  if (!Array.isArray(list)) return `${name} is not an array`;
  const at = list.findIndex((item) => !isValid(item));
  return at === -1 ? undefined : `${name}[${at}] is not valid`;
}

function isPart(part: JsonValue): boolean {
  if (!isJsonObject(part) || typeof part['type'] !== 'string') return false;
  return !partTypes.includes(part['type']) || isSpecType.ContentBlock(part);
}

function isResource(item: JsonValue): boolean {
  return isJsonObject(item) && typeof item['uri'] === 'string' && typeof (item['text'] ?? item['blob']) === 'string';
}

function isMessage(item: JsonValue): boolean {
  if (!isJsonObject(item) || (item['role'] !== 'user' && item['role'] !== 'assistant')) return false;
  return isPart(item['content'] ?? null);
}
