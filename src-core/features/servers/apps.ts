import type { ToolExecutionResult } from '../../base/calls.ts';
import type { Clock } from '../../base/clock.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { parseIntegersExactly } from '../../base/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';
import type { AppContent, apps as appsContract } from '../../contract/apps.ts';
import type { CallDetail } from '../../contract/callRecords.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { Confirmation, ExecutionOptions } from '../../engine/executionOptions.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { withheldError } from '../../engine/requireOffered.ts';
import { newCallId } from '../../engine/newCallId.ts';
import { readAppResource, readToolUi } from '../../mcp/apps/appMeta.ts';
import type { ListedTool, McpConnection } from '../../mcp/types.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { createCallQuestions } from '../calls/callQuestions.ts';
import type { Calls } from '../calls/service.ts';
import { answerOf } from './failureMessage.ts';
import type { LiveServer } from './liveServer.ts';
import type { ServerBook } from './serverBook.ts';

const readMs = 30_000;
/** Number of results of tools with an App that are kept unchanged; older ones are available as the history stores them. */
const maxKept = 32;
/** UTF-16 units of one of them. */
const maxKeptLength = 4_000_000;

interface AppsDeps {
  book: Pick<ServerBook, 'get'>;
  /** @throws {RequestError} If the server is not connected. */
  connectionOf: (id: string) => McpConnection;
  liveOf: (id: string) => LiveServer;
  toolRegistryManager: ToolRegistryManager;
  calls: Pick<Calls, 'policy' | 'follow'>;
  history: { get(callId: string): Promise<CallDetail | undefined> };
  clock: Clock;
  onChange: () => void;
  onError: ErrorReporter;
}

/** MCP Apps: their pages, and what they ask of their server. An App reaches no other server, and no tool that is not for Apps. */
export function createApps(deps: AppsDeps) {
  const { book, connectionOf, liveOf, history } = deps;
  const questions = createCallQuestions(deps);
  const results = createResults();
  const call = createAppCalls({ ...deps, results, ask: questions.ask });
  let sandbox: string | undefined;

  /** The call of a tool that has an App. */
  async function ofCall(
    callId: string,
  ): Promise<{ serverId: string; uri: string; call: NonNullable<AppContent['call']> }> {
    const record = await history.get(callId);
    const tool =
      record?.source.kind === 'mcp'
        ? liveOf(book.get(record.source.id).id).listed.tools.find(({ name }) => name === record.methodName)
        : undefined;
    const uri = tool && readToolUi(tool.definition).resourceUri;
    if (record === undefined || tool === undefined || uri === undefined)
      throw new RequestError(localize('servers.noAppOfCall'));
    const result = results.get(callId) ?? (record.result && toCallResult(record.result));
    return {
      serverId: record.source.id,
      uri,
      call: { tool: tool.definition, argsJson: record.argsJson, ...(result && { result }) },
    };
  }

  async function read(serverId: string, uri: string, signal: AbortSignal): Promise<AppContent> {
    const { name } = book.get(serverId);
    const options = { signal, timeoutMs: readMs };
    const asked = connectionOf(serverId).readResource(uri, options);
    const answer = await answerOf(asked, (text) => liveOf(serverId).mask(text));
    const listed = liveOf(serverId).listed.lists.resources.find((each) => each['uri'] === uri);
    const resource = readAppResource(answer, uri, listed);
    if (resource === 'no-app') throw new RequestError(localize('servers.noApp', { uri }));
    if (resource === 'too-large') throw new RequestError(localize('servers.appTooLarge', { uri }));
    return { serverId, serverName: name, uri, ...resource, ...(sandbox !== undefined && { sandbox }) };
  }

  const service = {
    async open(what, signal = new AbortController().signal) {
      if (!('callId' in what)) return read(what.serverId, what.uri, signal);
      const { serverId, uri, call } = await ofCall(what.callId);
      return { ...(await read(serverId, uri, signal)), call };
    },
    call,
    log({ serverId, level, logger, data }) {
      const { id } = book.get(serverId);
      liveOf(id).logMessage({ level, logger: logger === undefined ? 'App' : `App, ${logger}`, data });
    },
    questions: () => questions.list(),
    decide: (decision) => questions.decide(decision),
    attend: ({ callId }) => questions.attend(callId),
  } satisfies Implementation<typeof appsContract>;
  return {
    service,
    /** Keeps the result of a call unchanged, if an App shows it. */
    keepResult: results.keep,
    /** Sets the origin of the sandbox for windows in a browser. */
    serveAt(origin: string): void {
      sandbox = origin;
    },
  };
}

/** Calls of Apps, through the executor. */
function createAppCalls(
  deps: AppsDeps & {
    results: ReturnType<typeof createResults>;
    ask: NonNullable<ExecutionOptions['onBeforeExecute']>;
  },
): Implementation<typeof appsContract>['call'] {
  const { book, connectionOf, liveOf, toolRegistryManager, calls, results, ask, onError } = deps;
  /** The definition of a tool when the user allowed the first call, by server, App and tool. */
  const allowed = new Map<string, string>();

  function toolFor(serverId: string, name: string): ListedTool {
    connectionOf(serverId);
    const live = liveOf(serverId);
    const tool = live.listed.tools.find((each) => each.name === name);
    if (tool === undefined || !readToolUi(tool.definition).forApps)
      throw new RequestError(localize('servers.notForApps', { tool: name.slice(0, 200) }));
    if (live.listed.isWithheld(name)) throw new RequestError(localize('servers.withheldFromApps', { tool: name }));
    return tool;
  }

  return async ({ serverId, uri, tool: name, args }, signal) => {
    const server = book.get(serverId);
    const tool = toolFor(serverId, name);
    const key = JSON.stringify([serverId, uri, name]);
    const definition = JSON.stringify(tool.definition);
    const isFirst = allowed.get(key) !== definition;
    const callId = newCallId();
    const { config, ...policy } = calls.policy();
    const forget = results.want(callId);
    try {
      const result = await executeSingleRequest(
        { toolName: server.registryId, command: name, args },
        {
          toolRegistryManager,
          ...policy,
          config: { ...config, requireConfirmation: isFirst || config.requireConfirmation },
          ...calls.follow('app', { host: server.name }),
          caller: 'user',
          signal,
          newId: () => callId,
          async onBeforeExecute(request, pending) {
            const answer = await ask(request, pending);
            if (!isYes(answer)) return answer;
            // It may have changed while the user was asked.
            if (liveOf(serverId).listed.isWithheld(name)) throw withheldError(name);
            allowed.set(key, definition);
            return answer;
          },
          onError,
        },
      );
      const raw = results.get(callId);
      if (raw !== undefined) return raw;
      if (result.error !== undefined && result.error.code !== 'tool-error')
        throw new RequestError(result.error.message);
      return toCallResult(result);
    } finally {
      forget();
    }
  };
}

function isYes(answer: Confirmation): boolean {
  return typeof answer === 'boolean' ? answer : answer.allowed;
}

/** Results as servers sent them, with `_meta`, which the history does not have. */
function createResults() {
  const kept = new Map<string, JsonObject>();
  const wanted = new Set<string>();
  return {
    get: (callId: string) => kept.get(callId),
    /** Keeps the result of this call, whatever its tool. Call the returned function when it is not needed any more. */
    want(callId: string): () => void {
      wanted.add(callId);
      return () => {
        wanted.delete(callId);
        kept.delete(callId);
      };
    },
    keep(callId: string, definition: JsonObject, result: JsonObject): void {
      if (!wanted.has(callId) && readToolUi(definition).resourceUri === undefined) return;
      if (JSON.stringify(result).length > maxKeptLength) return;
      kept.set(callId, result);
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** A result of the history as the `tools/call` result that it was, without `_meta`. */
function toCallResult({ status, result, content, structuredContent }: ToolExecutionResult): JsonObject {
  return {
    content: content?.map(toMcpBlock) ?? [{ type: 'text', text: result }],
    ...(structuredContent !== undefined && { structuredContent: parseIntegersExactly(structuredContent) }),
    ...(status === 'error' && { isError: true }),
  };
}

function toMcpBlock(block: ContentBlock): JsonValue {
  if (block.type !== 'resource') return { ...block };
  const { type, name, ...resource } = block;
  const isHeld = block.text !== undefined || block.blob !== undefined;
  return isHeld ? { type, resource } : { type: 'resource_link', name: name ?? block.uri, ...resource };
}
