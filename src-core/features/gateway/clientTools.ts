import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, type JsonSchema } from '../../base/json.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import type { MethodMetadata, ToolSource } from '../../base/toolTypes.ts';
import { GatewayError } from './gatewayError.ts';
import type { RegisteredTool, ServerMessage, ToolResult } from './messages.ts';
import { ResultQueue } from './resultQueue.ts';
import { cleanSchema } from '../../schema/cleanSchema.ts';
import { cloneJson } from '../../base/cloneJson.ts';

/** In UTF-16 code units (docs/protocols/gateway.md#registering-tools). */
const maxNameLength = 64;

/** A connection's side of its tools. */
export interface ClientToolsOptions {
  /** Id of the registry, unique in the manager. */
  id: string;
  source: ToolSource;
  toolRegistryManager: Pick<ToolRegistryManager, 'register' | 'notifyChanged'>;
  /** Tools of the connection, at most. */
  maxCount: () => number;
  /** Sets the consumers that are offered the methods. */
  offer: (methods: MethodMetadata[]) => MethodMetadata[];
  /** Whether a server tool has this name. */
  isTaken: (name: string) => boolean;
  /** Sends a callback; returns false if the connection has ended. */
  send: (message: Extract<ServerMessage, { type: 'tool_callback' }>) => boolean;
  resultQueueSize: number;
  /** Stops and resumes reading from the client. */
  pause: () => void;
  resume: () => void;
}

interface PendingCall {
  resolve: (output: ToolOutput) => void;
  reject: (error: ToolError) => void;
}

const shownName = 200;
/** Calls of a connection that may wait for their results. */
const maxWaiting = 1_024;
/** Characters of all tools of a connection, as JSON: a message of 1 MiB may hold any of them. */
const maxChars = 1024 * 1024;

/**
 * The tools that one connection has registered, as a source of methods (docs/protocols/gateway.md#registering-tools): a
 * call goes out as `tool_callback` and waits for its `tool_result`. Registered in the manager with its first tool.
 */
export class ClientTools implements ToolRegistry {
  readonly id: string;
  readonly name: string;
  readonly description = 'Tools of a client of the LLM gateway.';
  readonly source: ToolSource;
  readonly #options: ClientToolsOptions;
  readonly #methods = new Map<string, MethodMetadata>();
  readonly #pending = new Map<string, PendingCall>();
  readonly #results: ResultQueue<() => void>;
  #unregister: (() => void) | undefined;
  #closed = false;
  #chars = 0;

  constructor(options: ClientToolsOptions) {
    this.#options = options;
    this.id = options.id;
    this.name = options.source.label;
    this.source = options.source;
    this.#results = new ResultQueue({
      size: options.resultQueueSize,
      pause: options.pause,
      resume: options.resume,
      deliver: (settle) => settle(),
    });
  }

  /** Their names, in the order of registration. */
  get names(): string[] {
    return [...this.#methods.keys()];
  }

  getMetadata(): { methods: MethodMetadata[] } {
    return { methods: this.#options.offer([...this.#methods.values()]) };
  }

  /** Adds the valid tools. Returns the outcome for each entry, in the order of the request. */
  register(entries: readonly JsonValue[]): RegisteredTool[] {
    const before = this.#methods.size;
    const answer = entries.map((entry) => this.#add(entry));
    if (this.#methods.size === before) return answer;
    if (this.#unregister === undefined) this.#unregister = this.#options.toolRegistryManager.register(this);
    else this.#options.toolRegistryManager.notifyChanged(this.id);
    return answer;
  }

  invoke(methodName: string, args: JsonObject, { signal, callId }: InvokeOptions): Promise<ToolOutput> {
    return new Promise((resolve, reject) => {
      if (!this.#methods.has(methodName))
        return reject(new ToolError('unknown-method', `This client has no tool "${methodName}".`));
      if (signal.aborted) return reject(cancelled(signal));
      if (this.#pending.has(callId))
        return reject(new ToolError('tool-error', `A call with the id "${callId}" waits for this client already.`));
      if (this.#pending.size >= maxWaiting) {
        return reject(
          new ToolError(
            'tool-error',
            `${maxWaiting} calls wait for this client already. Try again when some are done.`,
          ),
        );
      }
      const onAbort = (): void => {
        this.#pending.delete(callId);
        reject(cancelled(signal));
      };
      const end = (): void => {
        this.#pending.delete(callId);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      // Before the callback goes out: the answer may come as soon as that has.
      this.#pending.set(callId, {
        resolve: (output) => {
          end();
          resolve(output);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      const call = { type: 'tool_callback', call_id: callId, tool_name: methodName, arguments: args } as const;
      if (!this.#options.send(call)) this.#pending.get(callId)?.reject(gone());
    });
  }

  /** Takes a result. Throws a `GatewayError` `INVALID_MESSAGE` if no call of this connection waits for it. */
  receive({ callId, success, result, error }: ToolResult): void {
    const call = this.#pending.get(callId);
    if (call === undefined) {
      throw new GatewayError(
        'INVALID_MESSAGE',
        'No call waits for this call_id',
        'It was answered already, it came too late, or it is not of this connection.',
      );
    }
    this.#pending.delete(callId);
    this.#results.add(() => {
      if (success) call.resolve({ value: result });
      else
        call.reject(
          new ToolError('tool-error', error === '' ? 'The client reported a failure without a reason.' : error),
        );
    });
  }

  /** The connection has ended: the tools are unregistered, and waiting calls are rejected at once. */
  close(): void {
    this.#closed = true;
    this.#unregister?.();
    this.#results.flush();
    for (const call of [...this.#pending.values()]) call.reject(gone());
  }

  #add(entry: JsonValue): RegisteredTool {
    const method = readToolDefinition(entry);
    if (typeof method === 'string') return failed(nameIn(entry), method);
    const { name } = method;
    if (this.#closed) return failed(name, 'The connection is closed');
    if (this.#methods.has(name)) return failed(name, 'Tool name already exists');
    if (this.#options.isTaken(name))
      return failed(name, 'Tool name already exists: the server has a tool of this name');
    const most = this.#options.maxCount();
    if (this.#methods.size >= most) return failed(name, `Too many tools: at most ${most} for a connection`);
    const chars = this.#chars + JSON.stringify(entry).length;
    if (chars > maxChars) return failed(name, `Tools too large: at most ${maxChars} characters for a connection`);
    this.#chars = chars;
    this.#methods.set(name, method);
    return { name, status: 'registered' };
  }
}

function failed(name: string, error: string): RegisteredTool {
  return { name, status: 'failed', error };
}

function nameIn(entry: JsonValue): string {
  const name = typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry['name'] : undefined;
  return typeof name === 'string' ? name.slice(0, shownName).toWellFormed() : '';
}

function gone(): ToolError {
  return new ToolError('disconnected', 'The client disconnected before it answered the call.');
}

function cancelled(signal: AbortSignal): ToolError {
  const reason: unknown = signal.reason;
  return reason instanceof ToolError
    ? reason
    : new ToolError('cancelled', 'The call was cancelled.', { cause: reason });
}

/** One tool of a `register_tools`, or a sentence that says what is wrong with it (docs/protocols/gateway.md). */
function readToolDefinition(entry: JsonValue): MethodMetadata | string {
  if (!isJsonObject(entry)) return 'A tool must be an object';
  const { name, description, parameters } = entry;
  if (typeof name !== 'string') return 'Tool name is missing';
  if (!isToolName(name))
    return 'Invalid tool name: 1 to 64 letters, digits, underscores and single dots, beginning with a letter or underscore, not ending with a dot';
  if (typeof description !== 'string' || description.trim() === '') return 'Tool description is missing';
  if (parameters === undefined) return 'Tool parameters are missing';
  const fault = schemaFault(parameters);
  if (fault !== undefined) return `Tool parameters are not a JSON Schema of an object: ${fault}`;
  return { name, description, agentCallable: true, inputSchema: parameters as JsonSchema };
}

/** The naming rule of docs/protocols/gateway.md#registering-tools. */
function isToolName(name: string): boolean {
  return name.length <= maxNameLength && /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/.test(name);
}

function schemaFault(parameters: JsonValue): string | undefined {
  if (!isJsonObject(parameters)) return 'they must be an object';
  const copied = cloneJson(parameters);
  if ('problem' in copied) return copied.problem;
  const { type, required } = parameters;
  if (type !== undefined && type !== 'object') return '"type" must be "object"';
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    return '"required" must be an array of strings';
  const [fault] = cleanSchema(parameters).faults;
  return fault === undefined ? undefined : `the value at ${fault.slice(0, 200)} is not valid`;
}
