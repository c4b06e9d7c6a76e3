import type { Clock } from '../../base/clock.ts';
import type { BusMessage } from './bus.ts';
import type { Inbox, Unsent } from './inbox.ts';
import { pagesAhead, piece, wireVersion } from './messages.ts';
import { Pieces } from './pieces.ts';

/** Bytes of all arguments that are kept. */
const maxKeptBytes = 33_554_432;
/** Arguments that are fetched at once. */
const maxFetching = 4;
/** ms in which arguments arrive. */
const fetchMs = 10_000;

interface Deps {
  inbox: Inbox;
  node: string;
  clock: Clock;
}

interface Place {
  /** The node that asks. */
  owner: string;
  callId: string;
  bytes: number;
}

/** Arguments of other nodes' questions that are too long for a list: each is fetched once, in pieces. */
export class LongArguments {
  readonly #deps: Deps;
  /** By node and call: the text, or what ends fetching it. */
  readonly #known = new Map<string, Map<string, { bytes: number; text?: string; stop: () => void }>>();
  #keptBytes = 0;
  #fetching = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Undefined until they have arrived: the first question for them fetches them. */
  textOf({ owner, callId, bytes }: Place): string | undefined {
    const known = this.#known.get(owner)?.get(callId);
    if (known?.bytes === bytes) return known.text;
    this.#forget(owner, callId);
    if (this.#fetching < maxFetching && this.#keptBytes + bytes <= maxKeptBytes) this.#fetch({ owner, callId, bytes });
    return undefined;
  }

  /** Forgets those of the node's calls that no longer ask. */
  keepOnly(owner: string, callIds: ReadonlySet<string>): void {
    for (const callId of this.#known.get(owner)?.keys() ?? []) if (!callIds.has(callId)) this.#forget(owner, callId);
  }

  close(): void {
    for (const owner of this.#known.keys()) this.keepOnly(owner, new Set());
  }

  #forget(owner: string, callId: string): void {
    const ofNode = this.#known.get(owner);
    const known = ofNode?.get(callId);
    if (ofNode === undefined || known === undefined) return;
    known.stop();
    this.#keptBytes -= known.bytes;
    ofNode.delete(callId);
    if (ofNode.size === 0) this.#known.delete(owner);
  }

  #fetch({ owner, callId, bytes }: Place): void {
    const { inbox, node, clock } = this.#deps;
    const ofNode = this.#known.get(owner) ?? new Map<string, { bytes: number; text?: string; stop: () => void }>();
    const stop = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#fetching -= 1;
      stopTimer();
      stopAsking();
    };
    let isOpen = true;
    // The next list fetches it again.
    const fail = (): void => this.#forget(owner, callId);
    const pieces = new Pieces(bytes);
    let arrived = 0;
    const onAnswer = (message: BusMessage | Unsent): void => {
      const read = typeof message === 'string' ? undefined : piece.safeParse(message.data).data;
      if (typeof message === 'string' || read === undefined || !pieces.take(read)) return fail();
      arrived += 1;
      if (!read.isLast) {
        if (arrived % pagesAhead === 0) inbox.askForMore(owner, message.topic);
        return;
      }
      if (pieces.bytes !== bytes) return fail();
      stop();
      ofNode.set(callId, { bytes, text: pieces.join().toString(), stop });
    };
    this.#fetching += 1;
    this.#keptBytes += bytes;
    ofNode.set(callId, { bytes, stop });
    this.#known.set(owner, ofNode);
    const stopTimer = clock.after(fetchMs, fail);
    const stopAsking = inbox.ask(`n.${owner}.args`, { v: wireVersion, node, callId }, onAnswer);
  }
}
