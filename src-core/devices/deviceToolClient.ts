import { ToolError } from '../tools/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../tools/json.ts';
import type { DeviceCallOptions, DeviceToolClientBase, ToolDefinition } from '../tools/toolDefinition.ts';
import { readToolAnswer } from '../tools/readToolAnswer.ts';
import type { ToolOutput } from '../tools/types.ts';
import { brokenAnswerError } from './brokenAnswer.ts';
import type { BrokenAnswer } from './brokenAnswer.ts';
import { CallQueue } from './callQueue.ts';
import type { Clock } from '../tools/clock.ts';
import { closeText, elapsedText } from './closeText.ts';
import { leftAsAsked } from './leftAsAsked.ts';
import { compareTools } from './compareTools.ts';
import type { WireClose } from './deviceWire.ts';
import type { DeviceLimits } from './limits.ts';
import { listTools } from './listTools.ts';
import { plainText } from './plainText.ts';
import { toolDanger, type ListedTool } from './readTool.ts';
import { RpcPeer } from './rpcPeer.ts';
import type { PendingRequest, RpcAnswer, RpcRequest } from './rpcPeer.ts';
import type { DeviceInfo } from './types.ts';
import type { WireNote } from './wireLog.ts';

/** How a client reaches its device, and what the device may take. */
export interface DeviceToolClientOptions {
  /** What errors call the device; asked when one is worded, since a name may come late. */
  name: () => string;
  /** Sends one JSON-RPC message, as text, in the transport's envelope. */
  send: (payload: string, note: WireNote) => void;
  clock: Clock;
  limits: Pick<DeviceLimits, 'requestTimeoutMs' | 'maxQueued' | 'maxPages' | 'maxTools' | 'maxListChars' | 'maxParsed'>;
  /** Who we say we are in initialize. */
  clientInfo: { name: string; version: string };
  /** Where the device posts its pictures, and its token there (spec/xiaozhi.md §1.6); asked for at each initialize. */
  vision?: (() => { url: string; token: string } | undefined) | undefined;
  /** Whether to list the tools that are for people only; asked for each list. They are listed unless told. */
  listUserTools?: (() => boolean) | undefined;
  /** The device's tools of its connection before, to tell what has changed since. */
  formerTools?: (() => readonly ListedTool[] | undefined) | undefined;
}

/** MCP over a device's wire: initialize, paged tools/list, queued tools/call (seed 000 §5.4, spec/xiaozhi.md §1.4). */
export class DeviceToolClient implements DeviceToolClientBase {
  readonly #options: DeviceToolClientOptions;
  readonly #peer: RpcPeer;
  readonly #queue: CallQueue;
  #tools: ListedTool[] = [];
  readonly #readTool = (answer: RpcAnswer): ToolOutput => this.#read(answer);
  #listed = false;
  #pages: number | undefined;
  #problems: string[] = [];
  /** What `#tools` are compared with; none at a device's first list. */
  #baseline: readonly ListedTool[] | undefined;
  #toolChanges: DeviceInfo['toolChanges'];
  #notifications: DeviceInfo['notifications'];
  #onTools: ((tools: ToolDefinition[]) => void) | undefined;
  #closed: WireClose | undefined;
  #serverInfo: { name?: string; version?: string } = {};

  constructor(options: DeviceToolClientOptions) {
    this.#options = options;
    this.#peer = new RpcPeer({ send: options.send, clock: options.clock });
    this.#queue = new CallQueue({ concurrency: 1, maxQueued: options.limits.maxQueued });
  }

  /** `serverInfo` of the initialize answer: the board's name and the firmware's version. */
  get serverInfo(): { name?: string; version?: string } {
    return this.#serverInfo;
  }

  /** The listed tools as they came. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  /** Why the list is not whole; empty where it is. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Pages of the list; `undefined` before the first. */
  get pages(): number | undefined {
    return this.#pages;
  }

  /** What is different in the tools since the connection before, or since the hello before on this one. */
  get toolChanges(): DeviceInfo['toolChanges'] {
    return this.#toolChanges;
  }

  /** The device's own notifications. */
  get notifications(): DeviceInfo['notifications'] {
    return this.#notifications;
  }

  /** Round trips of the last answered requests. */
  get latency(): DeviceInfo['latency'] {
    return this.#peer.latency.figures();
  }

  /** What a request that a person sends needs to know of ours. */
  get requests(): Pick<RpcPeer, 'awaits' | 'nextId' | 'expectByHand'> {
    return this.#peer;
  }

  /** The call of a tool whose answer has been awaited longest. */
  get runningCall(): RpcPeer['oldestCall'] {
    return this.#peer.oldestCall;
  }

  /** Calls out at once; 1 until told otherwise. */
  set concurrency(calls: number) {
    this.#queue.concurrency = calls;
  }

  async initialize({ signal, onListing }: { signal?: AbortSignal; onListing?: () => void } = {}): Promise<void> {
    const { clientInfo, limits, formerTools } = this.#options;
    const vision = this.#options.vision?.();
    this.#baseline = this.#listed ? this.#tools : formerTools?.();
    const answer = await new Promise<RpcAnswer>((resolve, reject) =>
      this.#peer.request(
        {
          method: 'initialize',
          summary: 'initialize',
          params: {
            protocolVersion: '2024-11-05',
            capabilities: vision === undefined ? {} : { vision: { url: vision.url, token: vision.token } },
            clientInfo,
          },
          timeoutMs: limits.requestTimeoutMs,
          signal,
        },
        (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      ),
    );
    if (!answer.ok) throw new ToolError('tool-error', `initialize was answered with an error: ${answer.message}`);
    const info = isJsonObject(answer.result) ? answer.result['serverInfo'] : undefined;
    const name = plainText(isJsonObject(info) ? info['name'] : undefined);
    const version = plainText(isJsonObject(info) ? info['version'] : undefined, 32);
    this.#serverInfo = { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
    this.#peer.notify('notifications/initialized');
    onListing?.();
    await this.updateTools(signal === undefined ? {} : { signal });
  }

  async updateTools({ signal }: { signal?: AbortSignal } = {}): Promise<ToolDefinition[]> {
    const { limits, listUserTools } = this.#options;
    const list = await listTools({
      withUserTools: listUserTools?.() ?? true,
      requestPage: (params) =>
        this.#queued(
          {
            method: 'tools/list',
            summary: 'tools/list',
            params,
            signal,
            timeoutMs: limits.requestTimeoutMs,
          },
          (answer) => answer,
        ),
      limits,
    });
    this.#tools = list.tools;
    this.#problems = list.problems;
    this.#pages = list.pages;
    this.#listed = true;
    this.#toolChanges = this.#changes();
    const definitions = this.getToolDefinitions();
    this.#onTools?.(definitions);
    return definitions;
  }

  /** Hears of the tools each time they have been listed (seed 000 §5.8); one at a time, `undefined` nobody. */
  setDeviceToolsCallback(callback: ((tools: ToolDefinition[]) => void) | undefined): void {
    this.#onTools = callback;
  }

  getToolDefinitions(): ToolDefinition[] {
    return this.#tools.map((tool) => {
      const { name, description, inputSchema, userOnly } = tool;
      const danger = toolDanger(tool);
      return {
        name,
        description,
        parameters: inputSchema,
        deviceClient: this,
        ...(userOnly && { userOnly }),
        ...(danger !== undefined && { danger }),
      };
    });
  }

  callTool(toolName: string, args: JsonObject, options: DeviceCallOptions = {}): Promise<ToolOutput> {
    const { signal, onStop, timeoutMs, callId, onStart } = options;
    return this.#queued(
      {
        method: 'tools/call',
        summary: `tools/call ${toolName}`,
        tool: toolName,
        params: { name: toolName, arguments: args },
        signal,
        onStop,
        timeoutMs,
        callId,
        onSent: onStart,
      },
      this.#readTool,
    );
  }

  /** Takes the payload of one `mcp` message. The note is for the log. */
  onMcpMessage(payload: JsonValue | undefined, chars: number): WireNote {
    const note = this.#peer.receive(payload, chars);
    if (note.role === 'notification') {
      const count = (this.#notifications?.count ?? 0) + 1;
      this.#notifications = { count, lastMethod: note.summary, lastAt: this.#options.clock.wall() };
    }
    return note;
  }

  /** Takes an answer that cannot be read. */
  onBrokenAnswer(answer: BrokenAnswer): WireNote {
    return this.#peer.receiveBroken(answer.id, (request) => brokenAnswerError(this.#options.name(), request, answer));
  }

  /** Takes an answer to request `id` in a message of `bytes` bytes, more than `maxParsed`. */
  onLargeAnswer(id: number, bytes: number): WireNote {
    const device = this.#options.name();
    const { maxParsed } = this.#options.limits;
    return this.#peer.receiveBroken(
      id,
      (request) =>
        new ToolError(
          'protocol-error',
          `${device} answered ${request.method} #${id} with ${bytes} bytes, more than the ${maxParsed} that are read. ` +
            'Let it return less at once, for example in parts.',
          { details: { requestId: id, device } },
        ),
    );
  }

  /**
   * The connection is gone: whatever waits, runs or comes later is rejected at once with `disconnected`. A call that makes the
   * device leave (`leftAsAsked`) is done.
   */
  onDisconnect(close: WireClose): void {
    this.#closed = close;
    this.#queue.failWaiting(this.#disconnected(close));
    this.#peer.endAll((request) =>
      leftAsAsked(close, request) ? this.#goneAnswer(request) : this.#disconnected(close, request),
    );
  }

  cancelAll(error: Error): void {
    this.#queue.failWaiting(error);
    this.#peer.endAll(() => error);
  }

  /** A list that broke off says nothing about what is gone. */
  #changes(): DeviceInfo['toolChanges'] {
    if (this.#baseline === undefined) return undefined;
    const changes = compareTools(this.#baseline, this.#tools);
    if (changes === undefined || this.#problems.length === 0) return changes;
    return changes.added.length + changes.changed.length === 0 ? undefined : { ...changes, removed: [] };
  }

  /** A request that waits for its turn, and what is read out of its answer. */
  #queued<T>(request: RpcRequest, read: (answer: RpcAnswer) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw this.#disconnected(this.#closed);
      const onEnd = (outcome: RpcAnswer | Error): void => {
        this.#queue.leave();
        if (outcome instanceof Error) return reject(outcome);
        try {
          resolve(read(outcome));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#queue.enter()) return this.#peer.request(request, onEnd);
      this.#queue.wait({ start: () => this.#peer.request(request, onEnd), fail: reject, signal: request.signal });
    });
  }

  /** A device that restarts, as it was told to, sends no answer. */
  #goneAnswer({ id, sentAt }: PendingRequest): RpcAnswer {
    const elapsed = elapsedText(this.#options.clock.now() - sentAt);
    const text = `${this.#options.name()} left to do this: the connection ended ${elapsed} after the request. Boards send no answer to this call.`;
    return { ok: true, id, result: { content: [{ type: 'text', text }] }, chars: 0 };
  }

  #disconnected(close: WireClose, request?: PendingRequest): ToolError {
    const device = this.#options.name();
    const how = closeText(device, close);
    const next =
      'It does not reconnect by itself: press its button, say the wake word, or start a conversation in py-xiaozhi.';
    const details = { code: close.code, device };
    if (request === undefined) {
      return new ToolError('disconnected', `${how}, before the request went out. ${next}`, { details });
    }
    const { id: requestId, sentAt } = request;
    const elapsedMs = this.#options.clock.now() - sentAt;
    return new ToolError(
      'disconnected',
      `${how}, ${elapsedText(elapsedMs)} after the request. No answer to request #${requestId} arrived. ${next}`,
      { details: { ...details, elapsedMs, requestId } },
    );
  }

  #read(answer: RpcAnswer): ToolOutput {
    const device = this.#options.name();
    if (!answer.ok) {
      throw new ToolError('tool-error', `${device} answered with an error: ${answer.message}`, {
        details: {
          device,
          requestId: answer.id,
          deviceMessage: answer.message,
          ...(answer.code === undefined ? {} : { rpcCode: answer.code }),
        },
      });
    }
    if (answer.result === undefined) {
      throw new ToolError(
        'protocol-error',
        `${device} answered request #${answer.id} with neither a result nor an error.`,
        {
          details: { device, requestId: answer.id },
        },
      );
    }
    return readToolAnswer(answer.result);
  }
}
