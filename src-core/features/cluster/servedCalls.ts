import type { Clock } from '../../base/clock.ts';
import { ToolError } from '../../base/errors.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { maxShownResultBytes } from '../../engine/serializeResult.ts';
import { callDanger } from '../../registry/callDanger.ts';
import { getToolIndex } from '../../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import type { Calls } from '../calls/service.ts';
import type { Bus, BusMessage } from './bus.ts';
import { hasLeft } from './callErrors.ts';
import { acceptMs } from './sentCall.ts';
import type { LocalRows } from './localRows.ts';
import {
  aboutCall,
  call as callSchema,
  isUnderstood,
  outcomeMessage,
  pieceBytes,
  outcomeText,
  piecesOf,
  versioned,
  wireVersion,
  type Answer,
  type Call,
} from './messages.ts';
import type { Members } from './members.ts';
import type { Pacing } from './pacing.ts';
import type { RemoteRows } from './remoteRows.ts';

/** Calls that wait or run, of one device and of this node. */
const limits = { device: 64, node: 2_000 };
/** For how long, ms, of how many calls, and in how many bytes of JSON the outcome is kept for a repeated message. */
const remembered = { ms: 300_000, calls: 10_000, bytes: 64_000_000 };
/** ms from a call to the message that it is accepted. Most have their outcome earlier, and need no other message. */
const acceptAfterMs = 10;
/** Places that receive the result of a call. */
const maxReplies = 100;

interface ServedCall {
  callId: string;
  device: string;
  caller: string;
  /** Where its answers go; a repeated message adds another place, and so does the last question about it. */
  replies: Set<string>;
  askedFor?: string;
  ending: AbortController;
  /** It was sent to the device. */
  isSent: boolean;
  /** It is refused before it began: its caller sends it to another node. */
  isReturned?: true;
}

/** What is kept of a call. */
interface EndedCall {
  /** Its message; undefined if it was dropped. */
  outcome: Buffer | undefined;
  endedAt: number;
}

interface Deps {
  bus: Bus;
  node: string;
  clock: Clock;
  pacing: Pick<Pacing, 'send'>;
  rows: LocalRows;
  remote: Pick<RemoteRows, 'find'>;
  members: Pick<Members, 'delayOf' | 'get'>;
  calls: Pick<Calls, 'policy' | 'follow' | 'isKnown'>;
  toolRegistryManager: ToolRegistryManager;
  isDraining: () => boolean;
  onError: ErrorReporter;
}

type Refusal = Extract<Answer, { kind: 'refused' }>;

/** Runs the calls that other nodes send for devices of this one: each once, however often its message arrives. */
export class ServedCalls {
  readonly #deps: Deps;
  /** By the caller's node and its number of the call. */
  readonly #open = new Map<string, ServedCall>();
  /** How many calls of each device are open. */
  readonly #ofDevice = new Map<string, number>();
  /** The oldest first. */
  readonly #ended = new Map<string, EndedCall>();
  /** Open calls that are not accepted yet. */
  #unaccepted = new Set<ServedCall>();
  #stopTimer: (() => void) | undefined;
  #stopForgetting: (() => void) | undefined;
  #isClosed = false;
  readonly #ends: (() => void)[];
  #keptBytes = 0;
  /** End the pieces of outcomes that are on their way: of each call, those that its last question asked for. */
  readonly #streams = new Map<string, AbortController>();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { bus, node } = deps;
    this.#ends = [
      bus.subscribe(`n.${node}.call`, (message) => this.#receiveCall(message)),
      bus.subscribe(`n.${node}.status`, (message) => this.#answerStatus(message)),
      bus.subscribe(`n.${node}.cancel`, ({ data }) => {
        const read = aboutCall.safeParse(data);
        if (!read.success) return;
        const reason = new ToolError('cancelled', 'The call was cancelled by its caller.');
        this.#open.get(keyOf(read.data))?.ending.abort(reason);
      }),
    ];
  }

  /** Calls that wait or run. */
  get count(): number {
    return this.#open.size;
  }

  /** The caller's node is lost: its calls that wait are removed, those at the device go on. */
  callerLost(caller: string): void {
    for (const served of this.#open.values())
      if (served.caller === caller && !served.isSent)
        served.ending.abort(new ToolError('cancelled', 'The node of its caller was lost.'));
  }

  /** Refuses the calls that have not begun: their callers send them to another node. */
  returnWaiting(): void {
    for (const served of this.#open.values())
      if (!served.isSent) {
        served.isReturned = true;
        served.ending.abort(new ToolError('cancelled', 'Toolwire is closing.'));
      }
  }

  /** Ends all calls. */
  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#stopForgetting?.();
    for (const end of this.#ends) end();
    for (const { ending } of this.#open.values()) ending.abort(new ToolError('cancelled', hasLeft));
  }

  #receiveCall({ data, reply }: BusMessage): void {
    const { bus, clock, onError } = this.#deps;
    if (reply === undefined) return;
    const read = callSchema.safeParse(data);
    if (!read.success) {
      const why = isUnderstood(versioned.safeParse(data).data?.v ?? wireVersion) ? 'invalid' : 'version';
      return void bus.publish(reply, { kind: 'refused', why } satisfies Answer);
    }
    const request = read.data;
    const key = keyOf(request);
    if (this.#resume(key, reply)) return;
    const refused = this.#refusal(request);
    if (refused !== undefined) return void bus.publish(reply, refused);
    // A call whose caller does not learn of it would run unnoticed.
    if (!bus.isConnected) return;
    const { callId, device, node: caller } = request;
    const ending = new AbortController();
    const served: ServedCall = { callId, device, caller, replies: new Set([reply]), ending, isSent: false };
    this.#open.set(key, served);
    this.#ofDevice.set(device, (this.#ofDevice.get(device) ?? 0) + 1);
    this.#unaccepted.add(served);
    this.#stopTimer ??= clock.after(acceptAfterMs, () => this.#accept());
    this.#run(key, served, request).catch((error: unknown) => {
      onError(error, `the call "${callId}" of another node`);
      const message = 'The call failed at the node of the device.';
      this.#end(key, served, { result: message, durationMs: 0, error: { code: 'tool-error', message } });
    });
  }

  /** Accepts the calls that have arrived since the last time. One timer: calls are many, and most have ended. */
  #accept(): void {
    this.#stopTimer = undefined;
    // Not at each end: a Map whose first entries are deleted one by one finds the next slowly.
    this.#forgetOld();
    for (const served of this.#unaccepted) this.#answer(served, { kind: 'accepted' });
    this.#unaccepted.clear();
  }

  /** A message about a call arrived again, or its caller asks for it: every answer so far is sent there, too. False if it is not known. */
  #resume(key: string, reply: string, from = 0): boolean {
    const { bus } = this.#deps;
    const open = this.#open.get(key);
    const ended = this.#ended.get(key);
    if (open !== undefined) {
      if (open.replies.size < maxReplies || reply === open.askedFor) open.replies.add(reply);
      bus.publish(reply, { kind: 'accepted' } satisfies Answer);
    } else if (ended?.outcome !== undefined) this.#sendOutcome(key, ended.outcome, { replies: [reply], from });
    else if (ended !== undefined) bus.publish(reply, { kind: 'unknown' } satisfies Answer);
    return open !== undefined || ended !== undefined;
  }

  #answerStatus({ data, reply }: BusMessage): void {
    const read = aboutCall.safeParse(data);
    if (reply === undefined || !read.success) return;
    const key = keyOf(read.data);
    const open = this.#open.get(key);
    open?.replies.delete(open.askedFor ?? '');
    if (open !== undefined) open.askedFor = reply;
    if (!this.#resume(key, reply, read.data.from)) this.#deps.bus.publish(reply, { kind: 'unknown' } satisfies Answer);
  }

  /** Why it does not run; undefined if it may. */
  #refusal(request: Call): Refusal | undefined {
    const { rows, remote, members, calls, toolRegistryManager, isDraining } = this.#deps;
    const refuse = (why: Refusal['why']): Refusal => ({ kind: 'refused', why });
    if (!isUnderstood(request.v)) return refuse('version');
    if (isDraining()) return refuse('draining');
    const { node, at, timeoutMs } = request;
    if (members.delayOf(node, at) > Math.min(timeoutMs, acceptMs)) return refuse('late');
    const connection = rows.connection(request.device);
    if (connection === undefined) {
      const moved = remote.find(request.device);
      if (moved?.row.tools === undefined) return refuse('gone');
      const { connection: number } = moved.row.tools;
      return { ...refuse('moved'), owner: { node: moved.node, connection: number } };
    }
    const { registry, number } = connection;
    if (number !== request.connection) return refuse('gone');
    const target = getToolIndex(toolRegistryManager).tools.get(registry.id)?.byName.get(request.method);
    if (target === undefined) return refuse('changed');
    const { dangerousTools, config } = calls.policy();
    const danger = callDanger(target, dangerousTools);
    const asks = danger !== undefined || config.requireConfirmation;
    // The caller has asked its user by the list that it named.
    if (asks && rows.hash(registry) !== request.hash) return refuse('changed');
    // Its record would replace that of the other call.
    if (calls.isKnown(request.callId)) return refuse('known');
    const ofDevice = this.#ofDevice.get(request.device) ?? 0;
    return this.#open.size >= limits.node || ofDevice >= limits.device ? refuse('busy') : undefined;
  }

  async #run(key: string, served: ServedCall, request: Call): Promise<void> {
    const { calls, rows, members, toolRegistryManager, onError } = this.#deps;
    const { callId, caller, ending } = served;
    const hooks = calls.follow('node', { host: members.get(caller)?.beat.name });
    const registry = rows.connection(request.device)?.registry;
    const toolName = registry?.id ?? '';
    try {
      const call = { requestId: callId, toolName, command: request.method, args: parseArgsJson(request.args) };
      await executeSingleRequest(call, {
        toolRegistryManager,
        config: { ...calls.policy().config, timeout: request.timeoutMs },
        caller: 'user',
        ...(request.shownName !== undefined && { shownName: request.shownName }),
        // The caller's node has checked the arguments by its list, and asked its user if the call needs it.
        isUnchecked: registry !== undefined && rows.hash(registry) === request.hash,
        onBeforeExecute: () => true,
        signal: ending.signal,
        ...hooks,
        onWentOut: (sent) => {
          served.isSent = true;
          hooks.onWentOut?.(sent);
        },
        onProgress: ({ callId: id, ...progress }) => {
          this.#answer(served, { kind: 'progress', ...progress });
          hooks.onProgress?.({ callId: id, ...progress });
        },
        // The caller does not wait until the call is in the history of this node.
        onCallEnd: (ended) => {
          this.#end(key, served, ended.result);
          return hooks.onCallEnd?.(ended);
        },
        newId: () => callId,
        maxResultBytes: maxShownResultBytes,
        onError,
      });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.#end(key, served, { result: error.message, durationMs: 0, error: error.info });
    }
  }

  #end(key: string, served: ServedCall, ended: Omit<ToolExecutionResult, 'requestId' | 'toolName' | 'status'>): void {
    if (!this.#open.delete(key)) return;
    const { device, replies } = served;
    const others = (this.#ofDevice.get(device) ?? 1) - 1;
    if (others > 0) this.#ofDevice.set(device, others);
    else this.#ofDevice.delete(device);
    this.#unaccepted.delete(served);
    const { result: text, durationMs, error, content, structuredContent, remark } = ended;
    // Its device has left before its turn.
    const hasLeftEarly = !served.isSent && error?.code === 'disconnected';
    const isReturned = served.isReturned === true || (hasLeftEarly && this.#deps.isDraining());
    const refused: Refusal = { kind: 'refused', why: isReturned ? 'draining' : 'gone' };
    const outcome =
      isReturned || hasLeftEarly
        ? Buffer.from(JSON.stringify(refused))
        : outcomeMessage({ durationMs, text, content, structuredContent, remark, error });
    this.#ended.set(key, { outcome, endedAt: this.#deps.clock.now() });
    this.#keptBytes += outcome.length;
    this.#sendOutcome(key, outcome, { replies: [...replies], from: 0 });
    if (this.#keptBytes > remembered.bytes) this.#forgetOld();
    this.#forgetLater();
  }

  #answer(served: ServedCall, answer: Answer): void {
    for (const reply of served.replies) this.#deps.bus.publish(reply, answer);
  }

  #sendOutcome(key: string, message: Buffer, { replies, from }: { replies: string[]; from: number }): void {
    const { bus, pacing } = this.#deps;
    if (message.length <= pieceBytes(bus.maxBytes)) return replies.forEach((reply) => void bus.publish(reply, message));
    this.#streams.get(key)?.abort();
    const stream = new AbortController();
    this.#streams.set(key, stream);
    const pieces = piecesOf(outcomeText(message), bus.maxBytes, from);
    void pacing.send(replies.at(-1) ?? '', pieces, { signal: stream.signal }).then(() => {
      if (this.#streams.get(key) === stream) this.#streams.delete(key);
    });
  }

  /** Also if no further call arrives. */
  #forgetLater(): void {
    if (this.#isClosed || this.#ended.size === 0) return;
    this.#stopForgetting ??= this.#deps.clock.after(remembered.ms, () => {
      this.#stopForgetting = undefined;
      this.#forgetOld();
      this.#forgetLater();
    });
  }

  /** Forgets ended calls, the oldest first. */
  #forgetOld(): void {
    for (const [key, ended] of this.#ended) {
      const isOld = this.#ended.size > remembered.calls || this.#deps.clock.now() - ended.endedAt >= remembered.ms;
      if (!isOld && this.#keptBytes <= remembered.bytes) return;
      this.#keptBytes -= ended.outcome?.length ?? 0;
      // Without its outcome, the call is still known: it does not run again.
      ended.outcome = undefined;
      if (isOld) this.#ended.delete(key);
    }
  }
}

function keyOf({ node, n }: { node: string; n: number }): string {
  return `${node}/${n}`;
}
