import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseExactly } from '../../base/exactNumber.ts';
import type { Clock } from '../../base/clock.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import type { Bus } from './bus.ts';
import type { Inbox } from './inbox.ts';
import { answer as answerSchema, outcome as outcomeSchema, wireVersion, type Answer, type Call } from './messages.ts';
import type { RemoteDevice } from './remoteRows.ts';
import type { ToolsAnswer } from './messages.ts';

/** ms in which an owner accepts a call. It refuses one that arrives later, so that nothing runs after the caller gave up. */
export const acceptMs = 2_000;
/** Added to the limit of a call, which its owner enforces: its answer may be on the way. */
const slackMs = 2_000;
const maxHops = 2;
/** ms: JSON has no Infinity. */
const maximumDelay = 2_147_483_647;
/** Pieces of an outcome that are sent before the owner waits. */
export const piecesAhead = 8;
/** About 100 MB: more than an outcome may have. */
const maxPieces = 512;

type Target = NonNullable<Extract<Answer, { kind: 'refused' }>['owner']>;

interface Deps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  nameOf: (node: string) => string;
}

/** Calls of devices at other nodes. */
export interface RemoteCalls {
  /** The tools of a device as a source of methods. */
  createRegistry(id: string, device: RemoteDevice, list: ToolsAnswer): ToolRegistry;
  /** A node is lost: calls that wait for it fail. */
  failNode(node: string): void;
}

/** Sends calls to the nodes that have the devices, each at most once unless the answer says that nothing ran. */
export function createRemoteCalls(deps: Deps): RemoteCalls {
  const waiting = new Map<string, Set<(error: ToolError) => void>>();

  function invoke(device: RemoteDevice, method: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput> {
    const { tools } = device.row;
    const first = tools && { node: device.node, connection: tools.connection, hash: tools.hash };
    const request = { callId: options.callId, device: device.row.id, method, args: JSON.stringify(args) };
    return new Promise<ToolOutput>((resolve, reject) => {
      const call = new SentCall(deps, waiting, { request, options, resolve, reject });
      if (first === undefined) reject(notRun(`"${device.row.name}" is not connected.`));
      else call.send(first, 0);
    });
  }

  return {
    createRegistry: (id, device, { methods = [], error }) => ({
      id,
      get name() {
        return device.row.name;
      },
      get source() {
        return { kind: 'device' as const, id: remoteId(device), label: device.row.name };
      },
      queued: true,
      slackMs,
      getMetadata: () => ({ methods, ...(error !== undefined && { error }) }),
      invoke: (method, args, options) => invoke(device, method, args, options),
    }),
    failNode(node) {
      for (const fail of [...(waiting.get(node) ?? [])])
        fail(
          new ToolError(
            'disconnected',
            `The connection to the node "${deps.nameOf(node)}", which has the device, was lost. The call may have run.`,
          ),
        );
    },
  };
}

/** The id of a device of another node in this node's lists. */
export function remoteId({ node, row }: Pick<RemoteDevice, 'node' | 'row'>): string {
  return `${row.id}@${node}`;
}

class SentCall {
  readonly #deps: Deps;
  readonly #waiting: Map<string, Set<(error: ToolError) => void>>;
  readonly #request: Pick<Call, 'callId' | 'device' | 'method' | 'args'>;
  readonly #options: InvokeOptions;
  readonly #resolve: (output: ToolOutput) => void;
  readonly #reject: (error: unknown) => void;
  readonly #pieces: Buffer[] = [];
  #leave: (() => void) | undefined;

  constructor(
    deps: Deps,
    waiting: Map<string, Set<(error: ToolError) => void>>,
    call: {
      request: Pick<Call, 'callId' | 'device' | 'method' | 'args'>;
      options: InvokeOptions;
      resolve: (output: ToolOutput) => void;
      reject: (error: unknown) => void;
    },
  ) {
    this.#deps = deps;
    this.#waiting = waiting;
    this.#request = call.request;
    this.#options = call.options;
    this.#resolve = call.resolve;
    this.#reject = call.reject;
  }

  send(target: Target, hops: number): void {
    const { node: owner, connection, hash } = target;
    const { bus, inbox, clock, node, nameOf } = this.#deps;
    const { signal, timeoutMs } = this.#options;
    this.#leave?.();
    const fail = (error: ToolError): void => this.#fail(error);
    const onAbort = (): void => {
      bus.publish(`n.${owner}.cancel`, { v: wireVersion, callId: this.#request.callId });
      this.#fail(signal.reason);
    };
    const silent = `The node "${nameOf(owner)}", which has the device, does not answer.`;
    const stopTimer = clock.after(acceptMs, () => {
      bus.publish(`n.${owner}.cancel`, { v: wireVersion, callId: this.#request.callId });
      fail(new ToolError('disconnected', `${silent} The call may have run.`));
    });
    const data: Call = {
      v: wireVersion,
      node,
      at: clock.now(),
      ...this.#request,
      connection,
      hash,
      hops,
      timeoutMs: Math.min(timeoutMs, maximumDelay),
    };
    const stopHearing = inbox.ask(`n.${owner}.call`, data, (message) => {
      if (message === undefined)
        return void queueMicrotask(() => fail(notRun(`The node "${nameOf(owner)}" cannot be reached.`)));
      const read = answerSchema.safeParse(message.data);
      if (!read.success)
        return fail(
          new ToolError(
            'protocol-error',
            `The node "${nameOf(owner)}" sent an unreadable answer. The call may have run.`,
          ),
        );
      stopTimer();
      this.#hear(read.data, owner, hops);
    });
    const calls = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, calls.add(fail));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#leave = () => {
      stopTimer();
      stopHearing();
      calls.delete(fail);
      signal.removeEventListener('abort', onAbort);
    };
  }

  #hear(answer: Answer, owner: string, hops: number): void {
    const { onStart, onProgress } = this.#options;
    if (answer.kind === 'started') onStart?.();
    else if (answer.kind === 'progress') {
      const { progress, total, message } = answer;
      onProgress?.({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
    } else if (answer.kind === 'refused') {
      if (answer.owner !== undefined && hops < maxHops) this.send(answer.owner, hops + 1);
      else this.#fail(notRun(refusalText(answer.why, this.#deps.nameOf(owner))));
    } else if (answer.kind === 'piece') this.#take(answer, owner);
    else if (answer.kind === 'outcome') this.#end(answer.outcome, owner);
  }

  #take({ at, text, isLast }: Extract<Answer, { kind: 'piece' }>, owner: string): void {
    const { bus } = this.#deps;
    if (at !== this.#pieces.length || at >= maxPieces)
      return this.#fail(new ToolError('protocol-error', 'A part of the answer is missing. The call has run.'));
    this.#pieces.push(Buffer.from(text, 'base64'));
    if (isLast) return this.#end(JSON.parse(Buffer.concat(this.#pieces).toString()), owner);
    if (this.#pieces.length % piecesAhead === 0)
      bus.publish(`n.${owner}.more`, { v: wireVersion, callId: this.#request.callId });
  }

  #end(value: unknown, owner: string): void {
    const read = outcomeSchema.safeParse(value);
    if (!read.success)
      return this.#fail(
        new ToolError(
          'protocol-error',
          `The node "${this.#deps.nameOf(owner)}" sent an unreadable answer. The call has run.`,
        ),
      );
    const { durationMs, text, content, structuredContent, remark, error } = read.data;
    // The timer of the limit starts only when a call goes out; a call that failed before has no duration.
    if (durationMs > 0) this.#options.onTimed?.(durationMs);
    if (error !== undefined && (error.code !== 'tool-error' || content === undefined)) {
      const { code, message, ...facts } = error;
      return this.#fail(new ToolError(code as ToolError['code'], message, facts));
    }
    this.#leave?.();
    this.#resolve({
      value: text,
      ...(content && { content: content as unknown as ContentBlock[] }),
      ...(structuredContent !== undefined && { structuredContent: readStructured(structuredContent) }),
      ...(remark !== undefined && { remark }),
      ...(error !== undefined && { isError: true }),
    });
  }

  #fail(error: unknown): void {
    this.#leave?.();
    this.#reject(error);
  }
}

function readStructured(text: string): JsonValue {
  const value = parseExactly(text);
  return isJsonObject(value) ? value : {};
}

/** Why a node refused a call, in a sentence. */
function refusalText(why: Extract<Answer, { kind: 'refused' }>['why'], node: string): string {
  switch (why) {
    case 'gone':
      return `The device has reconnected, or has left its node "${node}".`;
    case 'moved':
      return 'The device keeps moving between nodes.';
    case 'busy':
      return `Too many calls wait at the node "${node}". Try again later.`;
    case 'draining':
      return `The node "${node}" is about to restart and takes no calls.`;
    case 'late':
      return `The call reached the node "${node}" too late.`;
    case 'version':
      return `The node "${node}" has a version of Toolwire that does not understand this call. Update the older one.`;
    case 'changed':
      return 'The tools of the device have changed, and this one asks first. Call it again.';
  }
}

/** The error of a call that never reached a device. */
function notRun(reason: string): ToolError {
  return new ToolError('disconnected', `${reason} Nothing ran.`, { details: { ran: false } });
}
