import type { Clock } from '../../base/clock.ts';
import { ToolError } from '../../base/errors.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { callDanger } from '../../registry/callDanger.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import type { Calls } from '../calls/service.ts';
import type { Bus, BusMessage } from './bus.ts';
import { acceptMs } from './callRemote.ts';
import type { LocalRows } from './localRows.ts';
import {
  aboutCall,
  call as callSchema,
  isUnderstood,
  pieceBytes,
  piecesOf,
  type Answer,
  type Call,
  type Outcome,
} from './messages.ts';
import type { Members } from './members.ts';
import type { Pacing } from './pacing.ts';
import type { RemoteRows } from './remoteRows.ts';

/** Calls that wait or run, of one device and of this node. */
const limits = { device: 64, node: 2_000 };
/** For how long, ms, of how many calls, and in how many bytes of JSON the outcome is kept for a repeated message. */
const remembered = { ms: 300_000, calls: 10_000, bytes: 64_000_000 };
/** Bytes of a result's text. */
const maxResultBytes = 16_000_000;

interface ServedCall {
  /** The caller's node and its number of the call. */
  key: string;
  callId: string;
  device: string;
  caller: string;
  /** Where its answers go; a repeated message adds another place, and so does the last question about it. */
  replies: Set<string>;
  askedFor?: string;
  ending: AbortController;
  /** It went out to the device. */
  isOut: boolean;
  /** It is taken back before it began, and the caller told so. */
  isGivenBack?: true;
  /** As JSON. */
  outcome?: Buffer | undefined;
  endedAt?: number;
}

interface Deps {
  bus: Bus;
  node: string;
  clock: Clock;
  pacing: Pick<Pacing, 'send'>;
  rows: LocalRows;
  remote: Pick<RemoteRows, 'find'>;
  members: Pick<Members, 'delayOf'>;
  calls: Pick<Calls, 'policy' | 'follow'>;
  toolRegistryManager: ToolRegistryManager;
  isDraining: () => boolean;
  onError: ErrorReporter;
}

type Refusal = Extract<Answer, { kind: 'refused' }>;

/** Runs the calls that other nodes send for devices of this one: each once, however often its message arrives. */
export class ServedCalls {
  readonly #deps: Deps;
  /** Those that have ended stay for a while, the oldest first. */
  readonly #known = new Map<string, ServedCall>();
  readonly #open = new Set<ServedCall>();
  readonly #ends: (() => void)[];
  #keptBytes = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { bus, node } = deps;
    this.#ends = [
      bus.subscribe(`n.${node}.call`, (message) => this.#take(message)),
      bus.subscribe(`n.${node}.status`, (message) => this.#tellStatus(message)),
      bus.subscribe(`n.${node}.cancel`, ({ data }) => {
        const read = aboutCall.safeParse(data);
        if (!read.success) return;
        const reason = new ToolError('cancelled', 'The call was cancelled by its caller.');
        this.#known.get(keyOf(read.data))?.ending.abort(reason);
      }),
    ];
  }

  /** Calls that wait or run. */
  get count(): number {
    return this.#open.size;
  }

  /** The caller's node is lost: its calls that wait are removed, those at the device go on. */
  callerLost(caller: string): void {
    for (const served of this.#open)
      if (served.caller === caller && !served.isOut)
        served.ending.abort(new ToolError('cancelled', 'The node of its caller was lost.'));
  }

  /** Gives the calls that have not begun back to their callers, who send them to another node. */
  giveBack(): void {
    for (const served of this.#open)
      if (!served.isOut) {
        served.isGivenBack = true;
        served.ending.abort(new ToolError('cancelled', 'Toolwire is closing.'));
      }
  }

  /** Ends all calls. */
  close(): void {
    for (const end of this.#ends) end();
    for (const { ending } of this.#open) ending.abort(new ToolError('cancelled', 'Toolwire is closing.'));
  }

  #take({ data, reply }: BusMessage): void {
    const { bus, onError } = this.#deps;
    if (reply === undefined) return;
    const read = callSchema.safeParse(data);
    if (!read.success) return void bus.publish(reply, { kind: 'refused', why: 'version' } satisfies Answer);
    const request = read.data;
    const key = keyOf(request);
    const before = this.#known.get(key);
    if (before !== undefined) return this.#resume(before, reply);
    const refused = this.#refusal(request);
    if (refused !== undefined) return void bus.publish(reply, refused);
    // A call whose caller does not learn of it would run unnoticed.
    if (bus.publish(reply, { kind: 'accepted' } satisfies Answer) !== 'sent') return;
    const { callId, device, node: caller } = request;
    const ending = new AbortController();
    const served: ServedCall = { key, callId, device, caller, replies: new Set([reply]), ending, isOut: false };
    this.#known.set(key, served);
    this.#open.add(served);
    this.#run(served, request).catch((error: unknown) => {
      onError(error, `the call "${callId}" of another node`);
      const message = 'The call failed at the node of the device.';
      if (this.#open.has(served))
        this.#end(served, { result: message, durationMs: 0, error: { code: 'tool-error', message } });
    });
  }

  /** A message about a call arrived again, or its caller asks for it: every answer so far is sent there, too. */
  #resume(served: ServedCall, reply: string): void {
    const { bus } = this.#deps;
    if (served.endedAt === undefined) {
      served.replies.add(reply);
      bus.publish(reply, { kind: served.isOut ? 'started' : 'accepted' } satisfies Answer);
    } else if (served.outcome === undefined) bus.publish(reply, { kind: 'unknown' } satisfies Answer);
    else this.#sendOutcome(served.outcome, reply);
  }

  #tellStatus({ data, reply }: BusMessage): void {
    const read = aboutCall.safeParse(data);
    if (reply === undefined || !read.success) return;
    const served = this.#known.get(keyOf(read.data));
    if (served === undefined) return void this.#deps.bus.publish(reply, { kind: 'unknown' } satisfies Answer);
    served.replies.delete(served.askedFor ?? '');
    served.askedFor = reply;
    this.#resume(served, reply);
  }

  /** Why it does not run; undefined if it may. */
  #refusal(request: Call): Refusal | undefined {
    const { rows, remote, members, calls, isDraining } = this.#deps;
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
    const { name, methods } = { name: request.method, methods: registry.getMetadata().methods };
    const method = methods.find((each) => each.name === name);
    if (method === undefined) return refuse('changed');
    const { dangerousTools, config } = calls.policy();
    const danger = callDanger({ method, qualifiedName: `${registry.id}_${name}` }, dangerousTools);
    const asks = danger !== undefined || config.requireConfirmation;
    // The caller has asked its user by the list that it named.
    if (asks && rows.hash(registry) !== request.hash) return refuse('changed');
    const ofDevice = [...this.#open].filter(({ device }) => device === request.device).length;
    return this.#open.size >= limits.node || ofDevice >= limits.device ? refuse('busy') : undefined;
  }

  async #run(served: ServedCall, request: Call): Promise<void> {
    const { calls, rows, toolRegistryManager, onError } = this.#deps;
    const { callId, ending } = served;
    const hooks = calls.follow('node');
    const registry = rows.connection(request.device)?.registry;
    const toolName = registry?.id ?? '';
    try {
      const call = { requestId: callId, toolName, command: request.method, args: parseArgsJson(request.args) };
      await executeSingleRequest(call, {
        toolRegistryManager,
        config: { ...calls.policy().config, timeout: request.timeoutMs },
        caller: 'user',
        // The caller's node has checked the arguments by its list, and asked its user if the call needs it.
        isUnchecked: registry !== undefined && rows.hash(registry) === request.hash,
        onBeforeExecute: () => true,
        signal: ending.signal,
        ...hooks,
        onWentOut: (sent) => {
          served.isOut = true;
          this.#tell(served, { kind: 'started' });
          hooks.onWentOut?.(sent);
        },
        onProgress: ({ callId: id, ...progress }) => {
          this.#tell(served, { kind: 'progress', ...progress });
          hooks.onProgress?.({ callId: id, ...progress });
        },
        // The caller does not wait until the call is in the history of this node.
        onCallEnd: (ended) => {
          this.#end(served, ended.result);
          return hooks.onCallEnd?.(ended);
        },
        newId: () => callId,
        maxResultBytes,
        onError,
      });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.#end(served, { result: error.message, durationMs: 0, error: error.info });
    }
  }

  #end(served: ServedCall, ended: Omit<ToolExecutionResult, 'requestId' | 'toolName' | 'status'>): void {
    const { result: text, durationMs, error, content, structuredContent, remark } = ended;
    const outcome: Outcome = { durationMs, text, content, structuredContent, remark, error };
    const json = Buffer.from(JSON.stringify(outcome));
    served.outcome = json;
    served.endedAt = this.#deps.clock.now();
    this.#keptBytes += json.length;
    this.#open.delete(served);
    for (const reply of served.replies) {
      if (served.isGivenBack !== true) this.#sendOutcome(json, reply);
      else this.#deps.bus.publish(reply, { kind: 'refused', why: 'draining' } satisfies Answer);
    }
    served.replies.clear();
    this.#forgetOld();
  }

  #tell(served: ServedCall, answer: Answer): void {
    for (const reply of served.replies) this.#deps.bus.publish(reply, answer);
  }

  #sendOutcome(json: Buffer, reply: string): void {
    const { bus, pacing } = this.#deps;
    if (json.length > pieceBytes) return void pacing.send(reply, piecesOf(json));
    bus.publish(reply, { kind: 'outcome', outcome: JSON.parse(json.toString()) as unknown } satisfies Answer);
  }

  /** Forgets ended calls, the oldest first. */
  #forgetOld(): void {
    for (const [key, served] of this.#known) {
      const { endedAt, outcome } = served;
      if (endedAt === undefined) continue;
      const isOld = this.#known.size > remembered.calls || this.#deps.clock.now() - endedAt >= remembered.ms;
      if (!isOld && this.#keptBytes <= remembered.bytes) return;
      this.#keptBytes -= outcome?.length ?? 0;
      // Without its outcome, the call is still known: it does not run again.
      served.outcome = undefined;
      if (isOld) this.#known.delete(key);
    }
  }
}

function keyOf({ node, n }: { node: string; n: number }): string {
  return `${node}/${n}`;
}
