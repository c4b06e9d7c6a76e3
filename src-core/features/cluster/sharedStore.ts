import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { Bus } from './bus.ts';
import type { Inbox } from './inbox.ts';

/** ms in which JetStream answers. */
const answerMs = 5_000;
/** Keys of one store. */
const maxKeys = 10_000;
/** `err_code` of JetStream: the stream exists and was made with other settings, which the user may have chosen; a lost race; and a key without a value. */
const errors = { exists: 10_058, wrongSequence: 10_071, noMessage: 10_037 };

const answer = z.looseObject({
  error: z.object({ err_code: z.int().optional(), description: z.string().optional() }).optional(),
});
const info = z.object({ state: z.object({ subjects: z.record(z.string(), z.int()).optional() }) });
const stored = z.object({ message: z.object({ seq: z.int(), data: z.string().optional() }).optional() });

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

  /** Creates the bucket if there is none. */
  async open(): Promise<void> {
    await this.#request(
      `$JS.API.STREAM.CREATE.KV_${this.#bucket}`,
      {
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
      errors.exists,
    );
  }

  async keys(): Promise<string[]> {
    const prefix = `$KV.${this.#bucket}.`;
    const read = info.parse(
      await this.#request(`$JS.API.STREAM.INFO.KV_${this.#bucket}`, { subjects_filter: `${prefix}>` }),
    );
    return Object.keys(read.state.subjects ?? {})
      .slice(0, maxKeys)
      .map((subject) => subject.slice(prefix.length));
  }

  /** Undefined if the key was never put. The value is undefined if it was deleted, and a string if it is not JSON. */
  async get(key: string): Promise<{ value: unknown; seq: number } | undefined> {
    const request = { last_by_subj: `$KV.${this.#bucket}.${key}` };
    const subject = `$JS.API.STREAM.MSG.GET.KV_${this.#bucket}`;
    const { message } = stored.parse(await this.#request(subject, request, errors.noMessage));
    if (message === undefined) return undefined;
    const text = Buffer.from(message.data ?? '', 'base64').toString();
    return { value: text === '' ? undefined : valueOf(text), seq: message.seq };
  }

  /**
   * Puts a value if the last one of the key has this sequence number; 0 if it has none. Returns the new one.
   * @throws {LostRaceError} If it has another.
   */
  async put(key: string, value: object, after: number): Promise<number> {
    const headers = { 'Nats-Expected-Last-Subject-Sequence': String(after) };
    const { seq } = await this.#request(`$KV.${this.#bucket}.${key}`, value, undefined, headers);
    return z.int().parse(seq);
  }

  #request(
    subject: string,
    data: object,
    ignored?: number,
    headers?: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        stop();
        stopTimer();
      };
      const stop = this.#deps.inbox.askOutside(subject, { data, ...(headers && { headers }) }, (message) => {
        end();
        if (typeof message === 'string') return reject(new Error(message));
        const read = answer.safeParse(message.data);
        if (!read.success) return reject(new Error('JetStream sent an unreadable answer.'));
        const { err_code: code, description } = read.data.error ?? {};
        if (code === errors.wrongSequence) reject(new LostRaceError(description));
        else if (read.data.error !== undefined && code !== ignored) reject(new Error(description));
        else resolve(read.data);
      });
      const stopTimer = this.#deps.clock.after(answerMs, () => {
        end();
        reject(new Error('JetStream does not answer.'));
      });
    });
  }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
