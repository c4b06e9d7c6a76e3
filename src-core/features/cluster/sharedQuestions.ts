import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Clock } from '../../base/clock.ts';
import type { CallQuestion } from '../../contract/callRecords.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { CallDecision } from '../calls/callQuestions.ts';
import type { Bus, BusMessage } from './bus.ts';
import { deviceNode } from './remoteTools.ts';
import { firstAnswer, type Inbox } from './inbox.ts';
import { LongArguments } from './longArguments.ts';
import {
  argsRequest,
  asks,
  decided,
  decision,
  isUnderstood,
  maxQuestionBytes,
  pagesAhead,
  pagesOf,
  piecesOf,
  wireVersion,
  type SharedQuestion,
} from './messages.ts';
import type { Pacing } from './pacing.ts';

/** ms over which changes of what asks here are gathered. */
const gatherMs = 32;
/** ms in which the node of the caller confirms a decision. */
const answerMs = 2_000;
/** ms after which questions that were not repeated have ended. */
const staleMs = 6_000;
/** ms by which the end of a question differs between its repetitions: they take different times to arrive. */
const driftMs = 500;
/** Bytes of arguments that are sent with the list of questions. Longer ones are fetched once, instead of being repeated. */
const maxListedBytes = 16_384;

/** What asks the user at this node about calls. */
export interface AskingSource {
  /** Without `expiresAt`, the question waits as long as the window that shows it. */
  list: () => (Omit<CallQuestion, 'askedAt' | 'expiresAt'> & { expiresAt?: number })[];
  /** @throws {RequestError} If no such call asks any more. */
  decide: (input: CallDecision) => void;
  attend: (callId: string) => void;
}

interface Deps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  pacing: Pick<Pacing, 'send'>;
  toolRegistryManager: Pick<ToolRegistryManager, 'getTool'>;
  sources: () => readonly AskingSource[];
  nameOf: (node: string) => string;
  /** The node is there, and its messages are understood. */
  isLive: (node: string) => boolean;
  onChange: () => void;
}

/**
 * Questions about calls that go to a device of another node: they are also asked at that node. The caller's node takes the decisions one
 * after the other, so that the first one counts and the question ends everywhere.
 */
export class SharedQuestions {
  readonly #deps: Deps;
  /** What other nodes ask here, by their ids, until when by the clock, and the pages that arrived of the next list. */
  readonly #asked = new Map<string, { questions: CallQuestion[]; until: number; pages: SharedQuestion[][] }>();
  /** What was sent to each node, as JSON without the times. */
  readonly #sent = new Map<string, string>();
  readonly #long: LongArguments;
  readonly #ends: (() => void)[];
  #stopTimer: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { bus, node } = deps;
    this.#long = new LongArguments(deps);
    this.#ends = [
      bus.subscribe(`n.${node}.asks`, ({ data }) => this.#receiveQuestions(data)),
      bus.subscribe(`n.${node}.args`, (message) => this.#sendArguments(message)),
      bus.subscribe(`n.${node}.decide`, (message) => this.#decideHere(message)),
    ];
  }

  list(): CallQuestion[] {
    const now = this.#deps.clock.wall();
    return [...this.#asked.values()].flatMap(({ questions }) => questions.filter(({ expiresAt }) => expiresAt > now));
  }

  /** What asks here may have changed. */
  changed(): void {
    this.#stopTimer ??= this.#deps.clock.after(gatherMs, () => this.update());
  }

  /** With each beat: a message may have been lost. A question of a window that shows it is not announced. */
  repeat(): void {
    for (const to of this.#sent.keys()) this.#sent.set(to, '');
    this.update();
    for (const [node, { until }] of this.#asked) if (this.#deps.clock.now() >= until) this.forget(node);
  }

  /** Sends what asks here by now to the nodes of the devices. */
  update(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const { bus, node } = this.#deps;
    const byNode = this.#byNode();
    for (const to of this.#sent.keys()) if (!byNode.has(to)) byNode.set(to, []);
    for (const [to, questions] of byNode) {
      const facts = JSON.stringify(questions.map(({ leftMs: _, ...facts }) => facts));
      if (this.#sent.get(to) === facts) continue;
      // Questions beyond that are asked at this node only.
      const pages = pagesOf(questions, bus.maxBytes).slice(0, pagesAhead);
      for (const [at, page] of pages.entries()) {
        const isLast = at === pages.length - 1;
        bus.publish(`n.${to}.asks`, { v: wireVersion, node, at, isLast, questions: page });
      }
      if (questions.length > 0) this.#sent.set(to, facts);
      else this.#sent.delete(to);
    }
  }

  /** The node is lost: its questions have ended, and it is sent all of this node's once it is back. */
  forget(node: string): void {
    this.#sent.delete(node);
    this.#long.keepOnly(node, new Set());
    if (this.#asked.delete(node)) this.#deps.onChange();
  }

  /** @throws {RequestError} If the call no longer waits, or its node does not answer. */
  decide(input: CallDecision): Promise<void> {
    return this.#send({ ...input, kind: 'decide' });
  }

  attend(callId: string): Promise<void> {
    return this.#send({ callId, kind: 'attend' });
  }

  close(): void {
    this.#stopTimer?.();
    for (const end of this.#ends) end();
    this.#long.close();
  }

  /** The questions that each other node has to know. */
  #byNode(): Map<string, SharedQuestion[]> {
    const { clock } = this.#deps;
    const byNode = new Map<string, SharedQuestion[]>();
    for (const { to, question } of this.#ownQuestions()) {
      const { expiresAt, callId, toolId, methodName, argsJson, danger } = question;
      const leftMs = expiresAt === undefined ? undefined : Math.max(0, expiresAt - clock.wall());
      const bytes = Buffer.byteLength(argsJson);
      if (to === undefined || bytes > maxQuestionBytes) continue;
      const listed = bytes > maxListedBytes ? { argsJson: '', argsBytes: bytes } : { argsJson };
      const questions = byNode.get(to) ?? [];
      questions.push({ callId, toolId, methodName, ...listed, danger, leftMs });
      byNode.set(to, questions);
    }
    return byNode;
  }

  /** What asks here, and the node that has the device. */
  #ownQuestions() {
    const { sources, toolRegistryManager } = this.#deps;
    return sources().flatMap((source) =>
      source.list().map((question) => {
        const to = deviceNode(toolRegistryManager.getTool(question.toolId));
        return { source, question, to };
      }),
    );
  }

  #sendArguments({ data, reply }: BusMessage): void {
    const read = argsRequest.safeParse(data).data;
    const { bus, pacing, isLive } = this.#deps;
    if (reply === undefined || read === undefined || !isUnderstood(read.v) || !isLive(read.node)) return;
    const found = this.#ownQuestions().find(({ question, to }) => question.callId === read.callId && to === read.node);
    if (found === undefined) bus.publish(reply, {});
    else void pacing.send(reply, piecesOf(Buffer.from(found.question.argsJson), bus.maxBytes));
  }

  #receiveQuestions(data: unknown): void {
    const read = asks.safeParse(data);
    if (!read.success) return;
    const { nameOf, isLive, clock, onChange } = this.#deps;
    const { v, node, at, isLast, questions: page } = read.data;
    if (!isUnderstood(v) || !isLive(node)) return;
    const asked = this.#asked.get(node) ?? { questions: [], until: clock.now() + staleMs, pages: [] };
    if (at === 0) asked.pages = [];
    if (at !== asked.pages.length) return;
    asked.pages.push(page);
    this.#asked.set(node, asked);
    if (!isLast) return;
    const now = clock.wall();
    const known = new Map(asked.questions.map((question) => [question.callId, question]));
    const listed = asked.pages.flat();
    this.#long.keepOnly(
      node,
      new Set(listed.flatMap(({ callId, argsBytes }) => (argsBytes === undefined ? [] : [callId]))),
    );
    const questions = listed.flatMap(({ leftMs, danger, argsBytes: bytes, ...facts }) => {
      const argsJson =
        bytes === undefined ? facts.argsJson : this.#long.textOf({ owner: node, callId: facts.callId, bytes });
      // The node repeats its list with its next beat.
      if (argsJson === undefined) return [];
      const { askedAt = now, expiresAt = 0 } = known.get(facts.callId) ?? {};
      const end = now + (leftMs ?? maximumLeft);
      const isSame = Math.abs(end - expiresAt) < (leftMs === undefined ? maximumLeft / 2 : driftMs);
      const host = nameOf(node);
      const about = { ...facts, argsJson, ...(danger !== undefined && { danger }) };
      return [{ ...about, host, askedAt, expiresAt: isSame ? expiresAt : end }];
    });
    if (listed.length === 0) this.#asked.delete(node);
    else this.#asked.set(node, { questions, until: clock.now() + staleMs, pages: [] });
    if (JSON.stringify(questions) !== JSON.stringify(asked.questions)) onChange();
  }

  /** A decision of another node on a call of this one. */
  #decideHere({ data, reply }: BusMessage): void {
    const read = decision.safeParse(data);
    if (reply === undefined || !read.success) return;
    const { bus, isLive, nameOf } = this.#deps;
    const { v, kind, node, callId, allowed, reason, argsJson } = read.data;
    if (!isUnderstood(v) || !isLive(node)) return;
    const { source } = this.#ownQuestions().find(({ question, to }) => question.callId === callId && to === node) ?? {};
    try {
      if (source === undefined) throw new RequestError(localize('calls.notWaiting'), { field: 'callId' });
      if (kind === 'attend') source.attend(callId);
      else source.decide({ callId, allowed: allowed === true, reason, argsJson, node: nameOf(node) });
      bus.publish(reply, {});
    } catch (error) {
      bus.publish(reply, { error: error instanceof Error ? error.message : String(error) });
    }
    this.update();
  }

  async #send(input: { kind: 'decide' | 'attend'; callId: string } & Partial<CallDecision>): Promise<void> {
    const { bus, inbox, node, clock, nameOf } = this.#deps;
    const [owner] =
      [...this.#asked].find(([, { questions }]) => questions.some(({ callId }) => callId === input.callId)) ?? [];
    if (owner === undefined) throw new RequestError(localize('calls.notWaiting'), { field: 'callId' });
    const message = await firstAnswer(
      (onAnswer) => inbox.ask(`n.${owner}.decide`, { v: wireVersion, node, ...input }, onAnswer),
      { clock, ms: answerMs },
    );
    const read = typeof message === 'string' ? undefined : decided.safeParse(message.data).data;
    const silent = message === 'large' ? bus.tooLong : `The node "${nameOf(owner)}" does not answer.`;
    const { error } = read ?? { error: silent };
    if (error !== undefined) throw new RequestError(error, { field: 'callId' });
  }
}

/** ms that are shown for a question that a window shows for as long as it is open. */
const maximumLeft = 600_000;
