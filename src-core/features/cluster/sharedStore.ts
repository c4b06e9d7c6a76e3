import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { Bus, BusMessage } from './bus.ts';
import { firstAnswer, type Inbox } from './inbox.ts';

/** ms in which JetStream answers. */
const answerMs = 5_000;
/**
 * `err_code` of JetStream: the stream exists and was made with other settings, which the user may have chosen; a lost race; and that it
 * is not enabled for the account, or at all.
 */
const errors = { exists: 10_058, wrongSequence: 10_071, notEnabled: [10_039, 10_076] };
/** Status of a direct get that finds nothing. */
const noMessage = 404;

const answer = z.looseObject({
  error: z.object({ err_code: z.int().optional(), description: z.string().optional() }).optional(),
});
const info = z.object({
  config: z.object({ allow_direct: z.boolean().optional() }),
  created: z.string(),
  state: z.object({ messages: z.int(), last_seq: z.int(), last_ts: z.string() }),
});

interface Question {
  data: object;
  headers?: Record<string, string>;
}

/** A value of a key. */
export interface Stored {
  key: string;
  /** Undefined if it was deleted, and null if it is not JSON. */
  value: unknown;
  seq: number;
  /** When the broker stored it, in epoch ms. */
  at: number;
}

/** The bucket has settings with which it cannot be used. */
export class UnusableBucketError extends Error {}

/** The broker has no JetStream, or not for this account. */
export class NoJetStreamError extends Error {}

/** Another node has written the key since it was read. */
export class LostRaceError extends Error {}

/** A NATS key-value bucket, in a file of the broker. Every method rejects if JetStream does not answer. */
export class SharedStore {
  readonly #deps: { bus: Bus; inbox: Inbox; clock: Clock };
  readonly #bucket: string;
  readonly #limits: { history: number; maxBytes?: number };

  /** `history`: how many values of a key the broker keeps. `maxBytes`: of all; the oldest go first. Unlimited by default. */
  constructor(
    deps: { bus: Bus; inbox: Inbox; clock: Clock },
    bucket: string,
    limits: { history: number; maxBytes?: number } = { history: 5 },
  ) {
    this.#deps = deps;
    this.#bucket = bucket;
    this.#limits = limits;
  }

  /** Calls back with each value that another node puts. Returns the function that ends this. */
  follow(onPut: (key: string, value: unknown) => void): () => void {
    return this.#deps.bus.subscribeOutside(`$KV.${this.#bucket}.*`, ({ topic, data }) => onPut(topic, data));
  }

  /**
   * Creates the bucket if there is none.
   * @throws {UnusableBucketError} If there is one that cannot be used.
   */
  async open(): Promise<void> {
    await this.#request(
      `$JS.API.STREAM.CREATE.KV_${this.#bucket}`,
      {
        data: {
          name: `KV_${this.#bucket}`,
          subjects: [`$KV.${this.#bucket}.>`],
          retention: 'limits',
          discard: this.#limits.maxBytes === undefined ? 'new' : 'old',
          storage: 'file',
          max_msgs_per_subject: this.#limits.history,
          max_consumers: -1,
          max_msgs: -1,
          max_bytes: this.#limits.maxBytes ?? -1,
          max_age: 0,
          num_replicas: 1,
          allow_rollup_hdrs: true,
          deny_delete: true,
          allow_direct: true,
        },
      },
      errors.exists,
    );
    const { config } = await this.#info();
    if (config.allow_direct !== true)
      throw new UnusableBucketError(`Set "allow_direct" of the stream "KV_${this.#bucket}" on the broker.`);
  }

  /**
   * When the bucket was created, and the last value: its sequence number, and when it was stored, by the broker's clock, in epoch ms;
   * 0 and long ago if there is none.
   */
  async state(): Promise<{ created: string; seq: number; at: number }> {
    const { created, state } = await this.#info();
    return { created, seq: state.messages === 0 ? 0 : state.last_seq, at: Date.parse(state.last_ts) };
  }

  /**
   * The last value of a key; undefined if it was never put. Read by a direct get: nats-server 2.9 panics if `STREAM.MSG.GET` arrives
   * while the stream is being created.
   */
  async get(key: string): Promise<Stored | undefined> {
    return this.#read({ last_by_subj: `$KV.${this.#bucket}.${key}` });
  }

  /** The same for the next value of any key after this sequence number. Undefined if there is none, or a replica does not have it yet. */
  async next(after: number): Promise<Stored | undefined> {
    return this.#read({ seq: after + 1, next_by_subj: `$KV.${this.#bucket}.>` });
  }

  /**
   * Puts a value if the last one of the key has this sequence number; 0 if it has none. Returns the new one.
   * @throws {LostRaceError} If it has another.
   */
  async put(key: string, value: object, after: number): Promise<number> {
    const headers = { 'Nats-Expected-Last-Subject-Sequence': String(after) };
    const { seq } = await this.#request(`$KV.${this.#bucket}.${key}`, { data: value, headers });
    return z.int().parse(seq);
  }

  async #info(): Promise<z.infer<typeof info>> {
    return info.parse(await this.#request(`$JS.API.STREAM.INFO.KV_${this.#bucket}`, { data: {} }));
  }

  async #read(request: object): Promise<Stored | undefined> {
    const { data, headers } = await this.#ask(`$JS.API.DIRECT.GET.KV_${this.#bucket}`, { data: request });
    if (headers?.code === noMessage) return undefined;
    const seq = z.coerce.number().int().parse(headers?.get('Nats-Sequence'));
    const at = Date.parse(headers?.get('Nats-Time-Stamp') ?? '');
    const key = headers?.get('Nats-Subject').slice(`$KV.${this.#bucket}.`.length) ?? '';
    return { key, value: headers?.has('KV-Operation') === true ? undefined : (data ?? null), seq, at };
  }

  async #request(subject: string, question: Question, ignored?: number): Promise<Record<string, unknown>> {
    const read = answer.safeParse((await this.#ask(subject, question)).data);
    if (!read.success) throw new Error('JetStream sent an unreadable answer.');
    const { err_code: code, description } = read.data.error ?? {};
    if (code === errors.wrongSequence) throw new LostRaceError(description);
    if (code !== undefined && errors.notEnabled.includes(code)) throw new NoJetStreamError(description);
    if (read.data.error !== undefined && code !== ignored) throw new Error(description);
    return read.data;
  }

  async #ask(subject: string, question: Question): Promise<BusMessage> {
    const { inbox, clock } = this.#deps;
    const message = await firstAnswer((onAnswer) => inbox.askOutside(subject, question, onAnswer), {
      clock,
      ms: answerMs,
    });
    if (typeof message !== 'string') return message;
    // A key or a direct get has no subscriber if only the stream is missing.
    if (message === 'no-subscriber' && subject.startsWith('$JS.API.STREAM.')) throw new NoJetStreamError(message);
    throw new Error(message === 'silent' ? 'JetStream does not answer.' : message);
  }
}
