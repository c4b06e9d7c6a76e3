import { ToolError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { DeviceCallOptions, DeviceToolClientBase, ToolDefinition } from '../../../registry/toolDefinition.ts';
import { reconnectHint } from '../../../registry/departedTool.ts';
import { readToolAnswer } from '../../../registry/readToolAnswer.ts';
import type { ToolOutput } from '../../../registry/types.ts';
import { version } from '../../../base/version.ts';
import { brokenAnswerError, largeAnswerError, type BrokenAnswer } from './brokenAnswer.ts';
import { CallQueue } from '../wire/callQueue.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { formatDuration } from '../../../base/formatDuration.ts';
import { closeText } from '../wire/closeText.ts';
import { compareTools, knownTools } from './compareTools.ts';
import { departureOf } from '../health/departure.ts';
import type { WireClose } from '../wire/deviceWire.ts';
import { defaultDeviceLimits, type DeviceLimits } from '../limits.ts';
import { listProblem } from './listProblem.ts';
import { listTools } from './listTools.ts';
import { plainText } from '../wire/plainText.ts';
import { toolDanger, type ListedTool } from './readTool.ts';
import {
  RpcPeer,
  type PendingRequest,
  type RpcAnswer,
  type RpcRequest,
  type UnreadableAnswer,
} from '../wire/rpcPeer.ts';
import { ToolsCallbacks, type ToolsCallback } from './toolsCallbacks.ts';
import type { DeviceInfo } from '../../../contract/deviceInfo.ts';
import { unknownToolError } from './unknownToolError.ts';
import type { FrameNote } from '../../frames/frameLog.ts';

/** How a client reaches its device, and what the device may take. */
export interface DeviceToolClientOptions {
  /**
   * Sends one JSON-RPC message, as text, in the envelope of the transport. The request fails if it throws or rejects.
   * The note says what the message is, for a log.
   */
  send: (payload: string, note: FrameNote) => void | Promise<void>;
  /** The transport's session. It names the device in errors if there is no `name`. */
  sessionId?: string | undefined;
  /** ms that a call may take if it sets no `timeoutMs`: 30,000 by default. */
  timeoutMs?: number | undefined;
  /** The name of the device in errors. A function is called for each error, since a name may arrive late. */
  name?: string | (() => string) | undefined;
  /** Our name and version in initialize; `toolwire` and its version by default. */
  clientInfo?: { name: string; version: string } | undefined;
  /** ms since the device's last frame, for errors. */
  msSinceFrame?: (() => number) | undefined;
  /** Those left out are `defaultDeviceLimits`. */
  limits?: Partial<DeviceClientLimits> | undefined;
  /** The machine's own by default. */
  clock?: Clock | undefined;
  /** Returns the URL and token for the device's pictures (docs/protocols/xiaozhi.md); called for each initialize. */
  vision?: (() => { url: string; token: string } | undefined) | undefined;
  /** Whether to list the tools that are for the user only; called for each list. They are listed by default. */
  listUserTools?: (() => boolean) | undefined;
  /** The device's tools on its previous connection, to report what has changed since. */
  formerTools?: (() => readonly ListedTool[] | undefined) | undefined;
}

/** What bounds the client of one device. */
type DeviceClientLimits = Pick<
  DeviceLimits,
  'requestTimeoutMs' | 'maxQueued' | 'maxPages' | 'maxTools' | 'maxListChars' | 'maxParsed'
>;

/** ms that a call may take by default. */
const defaultTimeoutMs = 30_000;

/** MCP over a device's wire: initialize, paged tools/list, queued tools/call (docs/protocols/device-mcp.md). */
export class DeviceToolClient implements DeviceToolClientBase {
  readonly sessionId: string | undefined;
  readonly #options: DeviceToolClientOptions;
  readonly #clock: Clock;
  readonly #limits: DeviceClientLimits;
  readonly #timeoutMs: number;
  readonly #peer: RpcPeer;
  readonly #queue: CallQueue;
  #tools: ListedTool[] = [];
  #toolNames = new Set<string>();
  readonly #readTool = (answer: RpcAnswer): ToolOutput => this.#read(answer);
  #listed = false;
  #pages: number | undefined;
  #listProblem: ReturnType<typeof listProblem>;
  #knownTools: readonly ListedTool[] | undefined;
  /** What the known tools are compared with; none at a device's first list. */
  #baseline: readonly ListedTool[] | undefined;
  #toolChanges: DeviceInfo['toolChanges'];
  #notifications: DeviceInfo['notifications'];
  readonly #toolsCallbacks = new ToolsCallbacks();
  #closed: WireClose | undefined;
  #serverInfo: { name?: string; version?: string } = {};

  constructor(options: DeviceToolClientOptions) {
    const { send, sessionId, clock = systemClock, timeoutMs = defaultTimeoutMs, msSinceFrame } = options;
    this.#options = options;
    this.sessionId = sessionId;
    this.#clock = clock;
    this.#limits = { ...defaultDeviceLimits, ...options.limits };
    this.#timeoutMs = timeoutMs;
    this.#peer = new RpcPeer({ send, clock, msSinceFrame });
    this.#queue = new CallQueue({ concurrency: 1, maxQueued: this.#limits.maxQueued });
  }

  /** `serverInfo` of the initialize answer: the board's name and the firmware's version. */
  get serverInfo(): { name?: string; version?: string } {
    return this.#serverInfo;
  }

  /** The listed tools as they came. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  /** The listed tools, and those of before that an invalid or incomplete list may have left out. */
  get knownTools(): readonly ListedTool[] | undefined {
    return this.#knownTools;
  }

  /** What is wrong with the list. */
  get listProblem(): ReturnType<typeof listProblem> {
    return this.#listProblem;
  }

  /** Pages of the list; `undefined` before the first. */
  get pages(): number | undefined {
    return this.#pages;
  }

  /** What changed in the tools since the previous connection, or since the previous hello on this one. */
  get toolChanges(): DeviceInfo['toolChanges'] {
    return this.#toolChanges;
  }

  /** The notifications that the device sent. */
  get notifications(): DeviceInfo['notifications'] {
    return this.#notifications;
  }

  /** Round trips of the last tool calls. */
  get latency(): DeviceInfo['latency'] {
    return this.#peer.latency.figures();
  }

  /** The part of the peer that others need: a request sent by hand, and the doctor. */
  get requests(): Pick<RpcPeer, 'awaits' | 'nextId' | 'expectByHand' | 'callFault'> {
    return this.#peer;
  }

  /** The call of a tool whose answer has been awaited longest. */
  get runningCall(): RpcPeer['oldestCall'] {
    return this.#peer.oldestCall;
  }

  /** The call that the end of the connection cuts off, also one that was sent by hand. */
  get callAtEnd(): RpcPeer['callAtEnd'] {
    return this.#peer.callAtEnd;
  }

  /** Concurrent calls; 1 by default. */
  set concurrency(calls: number) {
    this.#queue.concurrency = calls;
  }

  async initialize({ signal, onListing }: { signal?: AbortSignal; onListing?: () => void } = {}): Promise<void> {
    const { clientInfo = { name: 'toolwire', version }, formerTools } = this.#options;
    const vision = this.#options.vision?.();
    this.#baseline = this.#listed ? this.#knownTools : formerTools?.();
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
          timeoutMs: this.#limits.requestTimeoutMs,
          signal,
        },
        (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      ),
    );
    if (!answer.ok) throw new ToolError('tool-error', `initialize was answered with an error: ${answer.message}`);
    const info = isJsonObject(answer.result) ? answer.result['serverInfo'] : undefined;
    const name = plainText(isJsonObject(info) ? info['name'] : undefined);
    const firmware = plainText(isJsonObject(info) ? info['version'] : undefined, 32);
    this.#serverInfo = {
      ...(name === undefined ? {} : { name }),
      ...(firmware === undefined ? {} : { version: firmware }),
    };
    await this.#peer.notify('notifications/initialized');
    onListing?.();
    await this.updateTools(signal === undefined ? {} : { signal });
  }

  async updateTools({ signal }: { signal?: AbortSignal } = {}): Promise<ToolDefinition[]> {
    const { listUserTools } = this.#options;
    const limits = this.#limits;
    const list = await listTools({
      withUserTools: listUserTools?.() ?? true,
      requestPage: (params) =>
        this.#queued(
          { method: 'tools/list', summary: 'tools/list', params, signal, timeoutMs: limits.requestTimeoutMs },
          (answer) => answer,
        ),
      limits,
    });
    this.#tools = list.tools;
    this.#toolNames = new Set(list.tools.map(({ name }) => name));
    this.#listProblem = listProblem(list);
    this.#pages = list.pages;
    this.#listed = true;
    this.#knownTools = knownTools(this.#baseline, list, limits.maxTools);
    this.#toolChanges = this.#baseline && compareTools(this.#baseline, this.#knownTools ?? []);
    const definitions = this.getToolDefinitions();
    this.#toolsCallbacks.call(definitions);
    return definitions;
  }

  /**
   * Calls back with the tools each time they have been listed, and at once if they are listed already.
   * Several callbacks can be registered. Returns the function that removes this one.
   */
  setDeviceToolsCallback(callback: ToolsCallback): () => void {
    const remove = this.#toolsCallbacks.add(callback);
    if (this.#listed) callback(this.getToolDefinitions());
    return remove;
  }

  /** Whether the tools have been listed. */
  get listed(): boolean {
    return this.#listed;
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
    const { timeoutMs = this.#timeoutMs } = options;
    if (this.#closed === undefined && !this.#toolNames.has(toolName))
      return Promise.reject(unknownToolError(this.#name(), toolName, this.#toolNames));
    return this.sendCall(toolName, args, { ...options, timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs });
  }

  /** `callTool` for the executor, which has found the tool and applies timeouts: no time limit by default. */
  sendCall(toolName: string, args: JsonObject, options: DeviceCallOptions): Promise<ToolOutput> {
    const { onStart: onSent, ...rest } = options;
    return this.#queued(
      {
        ...rest,
        method: 'tools/call',
        summary: `tools/call ${toolName}`,
        tool: toolName,
        params: { name: toolName, arguments: args },
        onSent,
      },
      this.#readTool,
    );
  }

  /**
   * Takes one JSON-RPC message of the device: the payload of an `mcp` message. `chars` is the length of its text, which
   * bounds the list of tools. The note says what the message was, for a log.
   */
  onMcpMessage(payload: JsonValue | undefined, chars = JSON.stringify(payload ?? null).length): FrameNote {
    const note = this.#peer.receive(payload, chars);
    if (note.role === 'notification') {
      const count = (this.#notifications?.count ?? 0) + 1;
      this.#notifications = { count, lastMethod: note.summary, lastAt: this.#clock.wall() };
    }
    return note;
  }

  /** The id of the request that waits, if it is the only one: what cannot be read and names no id is the answer to it. */
  get onlyWaiting(): number | undefined {
    return this.#peer.onlyWaiting;
  }

  /** Takes a message that matches no request. Returns the id of the call that waits. */
  onUnmatched(why: string, unreadable?: UnreadableAnswer): string | undefined {
    this.#peer.receiveUnmatched(why, unreadable);
    return this.runningCall?.callId;
  }

  /** Takes an answer that cannot be read. */
  onBrokenAnswer(answer: BrokenAnswer): FrameNote {
    const errorFor = (request: PendingRequest) => brokenAnswerError(this.#name(), request, answer);
    return this.#peer.receiveBroken(answer.id, errorFor, answer.fault);
  }

  /** Takes an answer to request `id` in a message of `bytes` bytes, more than `maxParsed`. */
  onLargeAnswer(id: number, bytes: number): FrameNote {
    const { maxParsed } = this.#limits;
    return this.#peer.receiveBroken(id, (request) => largeAnswerError(this.#name(), request, { bytes, maxParsed }));
  }

  /**
   * The connection has ended: waiting, running and later requests are rejected at once with `disconnected`. A call that
   * makes the device leave (`leftAsAsked`) succeeds. `code` is that of WebSocket: 1006, the default, is an end without
   * a close frame. `endedAt` is the time of the clock at which it ended.
   */
  onDisconnect(close: WireClose = { code: 1006 }, endedAt = this.#clock.now()): void {
    this.#closed = close;
    this.#queue.failWaiting(this.#disconnected(close));
    this.#peer.endAll((request) => this.#cutOff(close, request, endedAt), endedAt);
  }

  cancelAll(error: Error): void {
    this.#queue.failWaiting(error);
    this.#peer.endAll(() => error, this.#clock.now());
  }

  /** Queues a request; resolves with what `read` returns for its answer. */
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

  /** The outcome of a request cut off by the end of the connection. A device that restarts as asked does not answer. */
  #cutOff(close: WireClose, request: PendingRequest, endedAt: number): RpcAnswer | ToolError {
    const device = this.#name();
    const { id, sentAt } = request;
    const elapsedMs = endedAt - sentAt;
    const departure = departureOf(close, device, { request, endedAt });
    if (departure.cause !== 'left-as-asked') {
      const details = { code: close.code, device, requestId: id, elapsedMs, ...departure };
      return new ToolError('disconnected', `${departure.description} ${reconnectHint}`, { details });
    }
    const text = `${device} disconnected ${formatDuration(elapsedMs)} after the request, as this call requires. Boards do not answer this call.`;
    return { ok: true, id, result: { content: [{ type: 'text', text }] }, chars: 0 };
  }

  #name(): string {
    const { name, sessionId } = this.#options;
    if (name !== undefined) return typeof name === 'string' ? name : name();
    return sessionId === undefined ? 'The device' : `The device of session ${sessionId.slice(0, 8)}`;
  }

  /** The error of a request that had not gone out when the connection ended. */
  #disconnected(close: WireClose): ToolError {
    const device = this.#name();
    const { cause } = departureOf(close, device);
    const description = `${closeText(device, close)}, before the request was sent.`;
    const details = { code: close.code, device, cause, description };
    return new ToolError('disconnected', `${description} ${reconnectHint}`, { details });
  }

  #read(answer: RpcAnswer): ToolOutput {
    const device = this.#name();
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
        { details: { device, requestId: answer.id } },
      );
    }
    return readToolAnswer(answer.result);
  }
}
