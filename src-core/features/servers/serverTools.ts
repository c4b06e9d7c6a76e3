import { ToolError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { MethodMetadata, ToolConsumer } from '../../base/toolTypes.ts';
import type { CallHost, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import { readToolAnswer } from '../../registry/readToolAnswer.ts';
import { readToolUi } from '../../mcp/apps/appMeta.ts';
import { McpError } from '../../mcp/errors.ts';
import type { CallOptions, ListedTool, McpConnection } from '../../mcp/types.ts';
import { ofCall } from '../frames/mcp/mcpFrames.ts';
import type { KeptServer } from './serverBook.ts';

/**
 * The tools of a server as a source of methods, which only the chosen consumers are offered; those that are for Apps alone, nobody. A hint that a tool is destructive makes its
 * calls ask first; no hint makes them ask less.
 */
export function createServerTools(options: {
  server: KeptServer;
  connection: McpConnection;
  tools: () => readonly ListedTool[];
  /** Who is offered a tool. */
  consumersOf: (toolName: string) => readonly ToolConsumer[];
  /** Called with each result as the server sent it. */
  onResult: (callId: string, definition: JsonObject, result: JsonObject) => void;
}): ToolRegistry {
  const { server, connection, tools, consumersOf, onResult } = options;
  return {
    id: server.registryId,
    name: server.name,
    source: { kind: 'mcp', id: server.id, label: server.name },
    getMetadata: () => ({ methods: tools().map((tool) => toMethod(tool, consumersOf(tool.name))) }),
    async invoke(name, args, { signal, timeoutMs, callId, onProgress, onWait, host }) {
      try {
        const handlers = host && handlersOfHost(host);
        const call = {
          signal,
          timeoutMs,
          maxTotalMs: timeoutMs,
          onWait,
          ...(onProgress && { onProgress }),
          ...(handlers && { handlers }),
        };
        const { result } = await ofCall(callId, () => connection.callTool(name, args, call));
        const definition = tools().find((tool) => tool.name === name)?.definition;
        if (definition !== undefined) onResult(callId, definition, result);
        return readToolAnswer(result) satisfies ToolOutput;
      } catch (error) {
        throw toToolError(error, signal);
      }
    },
  };
}

/** What a server asks during a request of a host is for the user of that host, if the host takes questions. */
export function handlersOfHost({ elicit }: Pick<CallHost, 'elicit'>): NonNullable<CallOptions['handlers']> {
  if (elicit === undefined) return {};
  return { elicit: async (params, signal) => (await elicit(params as unknown as JsonObject, { signal })) as never };
}

function toMethod(
  { name, title, description, inputSchema, outputSchema, annotations, definition }: ListedTool,
  offeredTo: readonly ToolConsumer[],
): MethodMetadata {
  const { forModels, resourceUri } = readToolUi(definition);
  const consumers = forModels ? offeredTo : [];
  return {
    name,
    ...(title !== undefined && { displayName: title }),
    description,
    agentCallable: consumers.length > 0,
    consumers,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(resourceUri !== undefined && { app: resourceUri }),
    ...(isDestructive(annotations) && { danger: 'The server says that this tool is destructive.' }),
  };
}

function isDestructive(annotations: JsonObject = {}): boolean {
  return annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true;
}

function toToolError(error: unknown, signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (signal.aborted && reason instanceof ToolError) return reason;
  if (!(error instanceof McpError)) return error;
  if (error.code === 'cancelled') return new ToolError('cancelled', 'The call was cancelled.', { cause: error });
  if (error.code === 'timeout') return new ToolError('timeout', error.message, { cause: error });
  if (error.code === 'connection-lost' || error.code === 'session-lost')
    return new ToolError('disconnected', error.message, { cause: error });
  return new ToolError('tool-error', error.message, { cause: error });
}
