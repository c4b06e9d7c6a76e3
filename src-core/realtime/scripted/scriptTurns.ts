import type { RealtimeScript, RealtimeScriptTurn } from '../realtimeProfile.ts';

/** What all connections of a server know: which turn a call belongs to, so that its output counts after a reconnect. */
export interface SharedTurns {
  calls: Map<string, number>;
  /** Turns whose connection was dropped already: it is dropped once. */
  dropped: Set<number>;
}

const maxCalls = 1_000;

/** A turn and its place in the script. */
export interface PlacedTurn {
  turn: RealtimeScriptTurn;
  index: number;
}

/** Where one connection is in the script. */
export class ScriptTurns {
  readonly #script: () => RealtimeScript;
  readonly #shared: SharedTurns;
  #position = 0;
  #answered: { index: number; output: string } | undefined;

  constructor(script: () => RealtimeScript, shared: SharedTurns) {
    this.#script = script;
    this.#shared = shared;
  }

  /** The next turn; none at the end of a script that then is silent. */
  peek(): PlacedTurn | undefined {
    const { turns, atEnd = 'repeat' } = this.#script();
    const index = atEnd === 'repeat' ? this.#position % turns.length : this.#position;
    const turn = turns[index];
    return turn === undefined ? undefined : { turn, index };
  }

  take(): PlacedTurn | undefined {
    const placed = this.peek();
    this.#position += 1;
    return placed;
  }

  /** A call that a response of this turn made. */
  noteCall(callId: string, index: number): void {
    const { calls } = this.#shared;
    calls.set(callId, index);
    const [oldest] = calls.keys();
    if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest);
  }

  /** An output came; the first one of a turn is what the turn goes on with. */
  noteOutput(callId: string, output: string): void {
    const index = this.#shared.calls.get(callId);
    if (index === undefined || this.#answered?.index === index) return;
    this.#answered = { index, output };
    // After a reconnect: the turn was begun on the connection before.
    if (this.#position === 0) this.#position = index + 1;
  }

  /** The person says something else: what the tools answered is not gone on with. */
  noteUserInput(): void {
    this.#answered = undefined;
  }

  /** The turn whose calls were answered, once. */
  takeAnswered(): (PlacedTurn & { output: string }) | undefined {
    const answered = this.#answered;
    this.#answered = undefined;
    const turn = answered === undefined ? undefined : this.#script().turns[answered.index];
    return answered === undefined || turn === undefined ? undefined : { turn, ...answered };
  }

  /** True the first time for a turn. */
  drops(index: number): boolean {
    if (this.#shared.dropped.has(index)) return false;
    this.#shared.dropped.add(index);
    return true;
  }
}
