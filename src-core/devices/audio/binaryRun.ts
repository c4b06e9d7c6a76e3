import type { WireEntry } from '../wireLog.ts';

/** Frames of one line in the log, at most. */
const maxFrames = 100;
/** Bytes of a malformed frame that are kept, as hexadecimal digits. */
const maxShownBytes = 64;

/** Binary frames of a connection, told to the log in runs: a line for each would fill it in a minute of speech. */
export class BinaryRun {
  readonly #note: (entry: WireEntry) => void;
  readonly #direction: WireEntry['direction'];
  #frames = 0;
  #bytes = 0;
  /** Of the run's first frame, where the run is one of malformed frames. */
  #fault: { reason: string; text: string } | undefined;

  constructor(note: (entry: WireEntry) => void, direction: WireEntry['direction'] = 'in') {
    this.#note = note;
    this.#direction = direction;
  }

  /** An audio frame of so many bytes on the wire. */
  add(bytes: number): void {
    if (this.#fault !== undefined) this.end();
    this.#count(bytes);
  }

  /** A frame that could not be read; the first of a run is shown as it came. */
  addMalformed(data: Buffer, reason: string): void {
    if (this.#fault?.reason !== reason) this.end();
    this.#fault ??= { reason, text: data.toString('hex', 0, maxShownBytes) };
    this.#count(data.length);
  }

  /** Tells of the run that goes, where there is one. */
  end(): void {
    if (this.#frames === 0) return;
    const frames = this.#frames;
    const fault = this.#fault;
    const entry: WireEntry = {
      direction: this.#direction,
      kind: 'binary',
      bytes: this.#bytes,
      note: { type: 'audio', summary: '' },
    };
    if (fault === undefined) {
      entry.note.summary = `${frames} audio frame${frames === 1 ? '' : 's'}`;
    } else {
      entry.note = { type: 'invalid', summary: frames === 1 ? fault.reason : `${frames} times ${fault.reason}` };
      entry.text = fault.text;
    }
    this.#frames = 0;
    this.#bytes = 0;
    this.#fault = undefined;
    this.#note(entry);
  }

  #count(bytes: number): void {
    this.#frames += 1;
    this.#bytes += bytes;
    if (this.#frames >= maxFrames) this.end();
  }
}
