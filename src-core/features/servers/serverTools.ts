import { maskMember } from '../../base/maskSecrets.ts';
import { ToolError, type ToolErrorCode } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isDestructive } from '../../base/isDestructive.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import {
  toolConsumers,
  type MethodMetadata,
  type ToolConsumer,
  type ToolQuestion,
  type ToolRound,
  type ToolTask,
} from '../../base/toolTypes.ts';
import type { CallHost, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import { dangerReasons } from '../../registry/dangerReasons.ts';
import { dangerInText, dangerOf } from '../../registry/dangerousTools.ts';
import { readToolAnswer } from '../../registry/readToolAnswer.ts';
import { maxShownResultBytes } from '../../engine/serializeResult.ts';
import { readToolUi } from '../../mcp/apps/appMeta.ts';
import { SignInError } from '../../mcp/auth/types.ts';
import { McpError } from '../../mcp/errors.ts';
import type {
  CallToolOptions,
  InputRound,
  ListedTool,
  McpConnection,
  RequestUser,
  TaskState,
} from '../../mcp/types.ts';
import { ofCall } from '../frames/mcp/mcpFrames.ts';
import { inMib } from './failureMessage.ts';
import type { KeptServer } from './serverBook.ts';

/** Characters of a text that is kept of a question or an answer. */
const maxText = 2_000;

/** Characters of an invalid result, or of the data of an error of JSON-RPC, in an error; the window expects as many (ErrorView.vue). */
const maxFrame = 4_096;

/** Lines of stderr that a failure has. */
export const maxStderr = 20;

/** What does not change while a server runs. */
export type NamedServer = Pick<KeptServer, 'id' | 'name' | 'registryId'>;

interface ServerToolsOptions {
  server: NamedServer;
  connection: McpConnection;
  tools: () => readonly ListedTool[];
  /** Who is offered the tools; everyone if undefined. */
  consumers: () => readonly ToolConsumer[] | undefined;
  /** Whether a tool is offered to nobody until the user has accepted its definition. */
  isWithheld: (toolName: string) => boolean;
  /** Receives each result as the server sent it. */
  onResult: ((callId: string, definition: JsonObject, result: JsonObject) => void) | undefined;
  /** Replaces the secrets of the server. */
  mask: (text: string) => string;
  /** Replaces only those of its configuration and sign-in, in a text of any length. */
  maskOwn: (text: string) => string;
  clock: Pick<Clock, 'wall'>;
  /** Aborts once Toolwire closes: tasks go on at the server then. */
  closing: AbortSignal;
}

/**
 * The tools of a server as a source of methods, which are offered to the chosen consumers only. Tools for Apps alone are not offered.
 * A hint that a tool is destructive makes its calls ask first; no hint makes them ask less.
 */
export function createServerTools(options: ServerToolsOptions): ToolRegistry {
  const { server, connection, tools, consumers, isWithheld, onResult, mask, maskOwn, clock, closing } = options;
  return {
    id: server.registryId,
    name: server.name,
    source: { kind: 'mcp', id: server.id, label: server.name },
    getMetadata: () => ({ methods: tools().map((tool) => toMethod(tool, consumers(), isWithheld(tool.name))) }),
    async invoke(
      name,
      args,
      {
        signal,
        timeoutMs,
        callId,
        onProgress,
        onUnmatched,
        onWait,
        onReport,
        host,
        asTask = false,
        keepsTask = false,
        taskId,
      },
    ) {
      const tool = tools().find((each) => each.name === name);
      const support = taskSupportOf(tool);
      // A process of ours ends with Toolwire, and its tasks with it.
      const isKept = keepsTask && connection.pid === undefined;
      let refused: JsonObject | undefined;
      const call: CallToolOptions = {
        signal: isKept ? signal : AbortSignal.any([signal, closing]),
        timeoutMs,
        // The executor ends the call.
        maxTotalMs: Infinity,
        onWait,
        ...(onProgress && { onProgress }),
        user: host && userOf(host),
        asTask: support === 'required' || (asTask && support === 'optional'),
        leavesTask: () => isKept && closing.aborted,
        onTask: (task) => onReport?.({ task: taskOf(task, { mask, isKept }) }),
        onUnmatched: (why) => onUnmatched?.(mask(why)),
        onRefused: (method) => (refused = { notAllowed: method }),
        onRound: (round) => onReport?.({ round: roundOf(round, { at: clock.wall(), mask }) }),
      };
      try {
        const { result } = await ofCall(callId, () =>
          taskId === undefined ? connection.callTool(name, args, call) : connection.resumeTask(taskId, call),
        );
        if (tool !== undefined) onResult?.(callId, tool.definition, result);
        return { ...readToolAnswer(result), ...(refused && { details: refused }) } satisfies ToolOutput;
      } catch (error) {
        throw await toToolError(error, signal, { server, connection, mask, maskOwn, refused });
      }
    },
  };
}

/** What a server asks during a request of a host is passed on to the user of that host, if the host supports it. */
export function userOf({ id, elicit, elicitUrl }: CallHost): RequestUser {
  return {
    id,
    elicit: (params, signal) =>
      (params.mode === 'url' ? elicitUrl : elicit)?.(params as unknown as JsonObject, { signal }) as never,
  };
}

/** Whether calls of a tool may or must run as tasks. */
export function taskSupportOf(tool: ListedTool | undefined): MethodMetadata['taskSupport'] {
  const { execution } = tool?.definition ?? {};
  const support = isJsonObject(execution) ? execution['taskSupport'] : undefined;
  return support === 'optional' || support === 'required' ? support : undefined;
}

function toMethod(
  tool: ListedTool,
  offeredTo: readonly ToolConsumer[] | undefined,
  isWithheld: boolean,
): MethodMetadata {
  const { name, title, description, inputSchema, outputSchema, annotations, definition } = tool;
  const { forModels, resourceUri } = readToolUi(definition);
  const consumers = forModels && !isWithheld ? offeredTo : [];
  const taskSupport = taskSupportOf(tool);
  const danger = toolDanger(name, annotations);
  return {
    name,
    ...(title !== undefined && { displayName: title }),
    description,
    agentCallable: consumers === undefined || consumers.length > 0,
    ...(consumers && { consumers }),
    ...(isWithheld && { withheldFrom: forModels ? (offeredTo ?? toolConsumers) : [] }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(resourceUri !== undefined && { app: resourceUri }),
    ...(taskSupport !== undefined && { taskSupport }),
    ...(danger !== undefined && { danger }),
  };
}

/** Characters of a name whose words are read one by one; a longer one is searched. */
const maxReadName = 256;

/** The sentences of `dangerOf` are about devices. */
function toolDanger(name: string, annotations: ListedTool['annotations']): string | undefined {
  if (isDestructive(annotations)) return dangerReasons.destructive;
  const danger = name.length > maxReadName ? dangerInText(name) : dangerOf(name);
  return danger === undefined ? undefined : dangerReasons.named;
}

async function toToolError(
  error: unknown,
  signal: AbortSignal,
  of: Pick<ServerToolsOptions, 'server' | 'connection' | 'mask' | 'maskOwn'> & { refused: JsonObject | undefined },
): Promise<unknown> {
  const { server, connection, mask, maskOwn, refused } = of;
  const reason: unknown = signal.reason;
  if (signal.aborted && reason instanceof ToolError) return reason;
  if (!(error instanceof McpError)) return error;
  const text = maskOwn(error.message);
  const toError = (code: ToolErrorCode, message: string, details?: JsonObject): ToolError =>
    new ToolError(code, message, { cause: error, ...(details && { details }) });
  const lost = (what: string): JsonObject => ({ kind: 'mcp', sourceId: server.id, server: server.name, lost: what });
  if (error.code === 'cancelled') return toError('cancelled', 'The call was cancelled.');
  if (error.code === 'timeout') return toError('timeout', text);
  const { bytes = 0, maxBytes, rpcCode, data } = error.details;
  // A question that is too long has no limit that the user could increase.
  if (error.code === 'too-large' && maxBytes !== undefined) {
    const mib = inMib(maxBytes);
    if (Math.max(bytes, maxBytes) > maxShownResultBytes) {
      const message = `The tool has run, but its answer is longer than ${mib} MiB. The result of a call may have up to 16 MB.`;
      return toError('result-too-large', message);
    }
    const message = `The tool has run, but its answer is longer than ${mib} MiB. To accept it, increase “Longest MCP message” in Settings and restart the server.`;
    return toError('result-too-large', message, { setting: 'mcpMessageMib' });
  }
  if (error.code === 'unknown-task')
    return toError(
      'interrupted',
      `The server no longer knows the task: ${text} Whether the tool has run is not known.`,
    );
  if (error.code === 'connection-lost' && connection.pid !== undefined) {
    const { exitCode, exitSignal, stderr: lines } = await connection.closed;
    const stderr = lines.slice(-maxStderr).map(mask);
    const how = exitCode === undefined ? `signal ${exitSignal ?? ''}` : `exit code ${exitCode}`;
    const details = { ...lost('process'), stderr };
    return toError('disconnected', `The server ${server.name} ended during the call (${how}).`, details);
  }
  if (error.code === 'connection-lost') return toError('disconnected', text, lost('connection'));
  if (error.code === 'session-lost') return toError('disconnected', text, lost('session'));
  if (error.cause instanceof SignInError && ['cancelled', 'timeout'].includes(error.cause.code))
    return toError('tool-error', text, { needs: 'sign-in' });
  const json = data === undefined ? undefined : maskOwn(JSON.stringify(data)).slice(0, maxFrame).toWellFormed();
  if (error.code === 'invalid-answer')
    return toError('protocol-error', text, json === undefined ? undefined : { frame: json });
  if (rpcCode === undefined) return toError('tool-error', text, refused);
  const facts = { rpcCode, reason: text, ...(json !== undefined && { data: json }), ...refused };
  return toError('tool-error', `Error ${rpcCode} from the server: ${text}`, facts);
}

/** A task of a server, as the history keeps it. `mask` replaces the secrets of the server. */
function taskOf(
  { taskId, status, statusMessage }: TaskState,
  { mask, isKept }: { mask: (text: string) => string; isKept: boolean },
): ToolTask {
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage: cut(mask(statusMessage)) }),
    ...(!isKept && { endsWithToolwire: true as const }),
  };
}

/** What a server asked during a call, as the history keeps it. */
function roundOf(questions: InputRound, options: { at: number; mask: (text: string) => string }): ToolRound {
  return { at: options.at, questions: questions.map((question) => questionOf(question, options.mask)) };
}

function questionOf({ method, params, answer }: InputRound[number], mask: (text: string) => string): ToolQuestion {
  const { action = 'accept' } = answer;
  const outcome = action === 'decline' || action === 'cancel' ? action : 'accept';
  const [kind, asked, sent] = factsOf(method, params, answer);
  const answered = sent === undefined ? undefined : cut(mask(JSON.stringify(sent, maskMember)));
  return { kind, asked: cut(mask(asked)), outcome, ...(answered !== undefined && { answered }) };
}

function factsOf(
  method: string,
  params: JsonObject,
  answer: JsonObject,
): [kind: ToolQuestion['kind'], asked: string, sent: unknown] {
  const { message = '', mode, url, messages } = params;
  if (method === 'roots/list') return ['roots', '', answer['roots']];
  if (method !== 'sampling/createMessage')
    return mode === 'url'
      ? ['url', `${String(message)}\n${String(url)}`, undefined]
      : ['form', String(message), answer['content']];
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isJsonObject(last) ? last['content'] : undefined;
  const text =
    isJsonObject(content) && typeof content['text'] === 'string' ? content['text'] : JSON.stringify(content ?? '');
  return ['sampling', text, answer['content']];
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text;
}
