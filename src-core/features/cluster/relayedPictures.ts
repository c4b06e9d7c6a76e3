/** Pictures that reach a node which does not have their device. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import { HttpError } from '../../server/httpError.ts';
import type { Bus, BusMessage } from './bus.ts';
import { firstAnswer, type Inbox } from './inbox.ts';
import { isUnderstood, node, pagesAhead, piece, piecesOf, wireVersion } from './messages.ts';
import { Pieces } from './pieces.ts';
import type { Pacing } from './pacing.ts';

/** Pictures that a node passes on, and those that it receives so, at once. */
const maxRelayed = 16;
/** ms in which the body arrives at the node of the device. */
const bodyMs = 20_000;
/** ms in which that node answers: longer than a board waits. */
const answerMs = 40_000;

const posted = z.object({
  kind: z.enum(['explain', 'snapshot']),
  /** The token of the connection, or the key in the address. */
  secret: z.string().max(256),
  deviceId: z.string().max(512).exactOptional(),
  contentType: z.string().max(1_024),
});
/** What a device posts, without the body. */
export type Posted = z.infer<typeof posted>;

const reply = z.object({ status: z.int().min(200).max(599), success: z.boolean(), text: z.string().max(262_144) });
/** What the device gets. */
export type PictureReply = z.infer<typeof reply>;

const request = posted.extend({ v: z.int(), node, id: z.string().max(64) });
const bodyRequest = request.pick({ v: true, id: true });
/** `error`: why the body was not received. */
const bodyError = z.object({ error: z.string().max(1_024) });

/**
 * Answers a post at the node of its device. Checks the secret before it calls `readBody`, which rejects with an `HttpError` if the body
 * is longer than `maxBytes` or does not arrive.
 */
export type PictureReceiver = (
  posted: Posted,
  readBody: (maxBytes: number) => Promise<Buffer>,
  gone: AbortSignal,
) => Promise<PictureReply>;

/** The other nodes of a cluster, as those see them who receive pictures. */
export interface PictureNodes {
  /** The id of this node in addresses for pictures; undefined without a cluster. */
  id: () => string | undefined;
  /** Passes a post on to the node with this id. Undefined if that is not a live node of the cluster. Never rejects. */
  relay: (
    to: string,
    posted: Posted,
    readBody: () => Promise<Buffer>,
    gone: AbortSignal,
  ) => Promise<PictureReply> | undefined;
  /** Sets who answers the posts that other nodes pass on. */
  receiveWith: (receiver: PictureReceiver) => void;
}

interface Deps {
  bus: Bus;
  inbox: Inbox;
  pacing: Pick<Pacing, 'send'>;
  node: string;
  clock: Clock;
  isLive: (node: string) => boolean;
  receiver: () => PictureReceiver | undefined;
  onError: (error: unknown, where: string) => void;
}

const refusal = (status: number, text: string): PictureReply => ({ status, success: false, text });
const tooMany = refusal(503, 'Too many pictures are on their way. Try again in a moment.');
const tooLong = refusal(
  502,
  'The answer to the picture is too long to be passed on to the node that received it. Shorten the answer.',
);

/** Passes posts on over the broker. The node of the device checks the secret, and only then asks for the body. */
export class RelayedPictures {
  readonly #deps: Deps;
  /** The bodies of posts that are passed on, each until it is asked for. */
  readonly #bodies = new Map<string, (() => Promise<Buffer>) | undefined>();
  readonly #ending = new AbortController();
  #received = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.subscribe(`n.${deps.node}.picture`, (message) => void this.#receive(message));
    deps.bus.subscribe(`n.${deps.node}.body`, (message) => void this.#sendBody(message));
  }

  get id(): string {
    return this.#deps.node;
  }

  relay(...[to, facts, readBody, gone]: Parameters<PictureNodes['relay']>): Promise<PictureReply> | undefined {
    if (!this.#deps.isLive(to)) return undefined;
    if (this.#bodies.size >= maxRelayed) return Promise.resolve(tooMany);
    const id = randomUUID();
    this.#bodies.set(id, readBody);
    return this.#ask(to, { ...facts, v: wireVersion, node: this.#deps.node, id }, gone).finally(() =>
      this.#bodies.delete(id),
    );
  }

  close(): void {
    this.#ending.abort();
  }

  async #ask(to: string, asked: z.infer<typeof request>, gone: AbortSignal): Promise<PictureReply> {
    const { inbox, clock } = this.#deps;
    const signal = AbortSignal.any([gone, this.#ending.signal]);
    const message = await firstAnswer((onAnswer) => inbox.ask(`n.${to}.picture`, asked, onAnswer), {
      clock,
      ms: answerMs,
      signal,
    });
    const answer = typeof message === 'string' ? undefined : reply.safeParse(message.data).data;
    return answer ?? refusal(503, 'The node that the device is connected to does not answer.');
  }

  async #sendBody({ data, reply: to }: BusMessage): Promise<void> {
    const asked = bodyRequest.safeParse(data).data;
    const readBody = this.#bodies.get(asked?.id ?? '');
    if (asked === undefined || to === undefined || readBody === undefined) return;
    // It is read once.
    this.#bodies.set(asked.id, undefined);
    const { bus, pacing } = this.#deps;
    try {
      const body = await readBody();
      await pacing.send(
        to,
        body.length === 0 ? [{ kind: 'piece', at: 0, text: '', isLast: true }] : piecesOf(body, bus.maxBytes),
      );
    } catch (error) {
      const text = error instanceof HttpError ? error.message : 'The picture did not arrive.';
      bus.publish(to, { error: text } satisfies z.infer<typeof bodyError>);
    }
  }

  async #receive({ data, reply: to }: BusMessage): Promise<void> {
    const { bus, receiver, onError } = this.#deps;
    const asked = request.safeParse(data).data;
    const receive = receiver();
    if (asked === undefined || to === undefined || receive === undefined || !isUnderstood(asked.v)) return;
    if (this.#received >= maxRelayed) return void bus.publish(to, tooMany);
    this.#received += 1;
    const { v: _, node: from, id, ...facts } = asked;
    try {
      const answer = await receive(facts, (maxBytes) => this.#fetch(from, id, maxBytes), this.#ending.signal);
      if (!reply.safeParse(answer).success || bus.publish(to, answer) === 'large') bus.publish(to, tooLong);
    } catch (error) {
      onError(error, 'a picture of another node');
      bus.publish(to, refusal(500, 'The picture could not be received.'));
    } finally {
      this.#received -= 1;
    }
  }

  /** Rejects with an `HttpError`. */
  #fetch(from: string, id: string, maxBytes: number): Promise<Buffer> {
    const { inbox, clock } = this.#deps;
    const pieces = new Pieces(maxBytes);
    let arrived = 0;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        stopAsking();
        stopTimer();
      };
      const fail = (error = new HttpError(408, 'The picture did not arrive.')): void => {
        stop();
        reject(error);
      };
      const stopAsking = inbox.ask(`n.${from}.body`, { v: wireVersion, id }, (message) => {
        if (typeof message === 'string') return fail();
        const { error } = bodyError.safeParse(message.data).data ?? {};
        if (error !== undefined) return fail(new HttpError(413, error));
        const read = piece.safeParse(message.data).data;
        const isNext = read !== undefined && pieces.take(read);
        if (pieces.bytes > maxBytes) return fail(new HttpError(413, `The body has more than ${maxBytes} bytes.`));
        if (!isNext) return fail();
        arrived += 1;
        if (!read.isLast) return arrived % pagesAhead === 0 ? inbox.askForMore(from, message.topic) : undefined;
        stop();
        resolve(pieces.join());
      });
      const stopTimer = clock.after(bodyMs, () => fail());
    });
  }
}

/** Of a cluster that is joined and left while devices are connected. */
export function pictureNodes(
  joined: () => RelayedPictures | undefined,
  { receiveWith }: Pick<PictureNodes, 'receiveWith'>,
): PictureNodes {
  return {
    id: () => joined()?.id,
    relay: (...post) => joined()?.relay(...post),
    receiveWith,
  };
}
