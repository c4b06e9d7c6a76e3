import { ChunkType, TextChunk, type AnyChunk } from '../chunks.ts';
import { realtimeLimits } from '../limits.ts';
import { sentenceEnd } from './sentenceEnd.ts';
import { Station } from './station.ts';

const pauses = [...'，、：,:; '];
const ends: readonly ChunkType[] = [
  ChunkType.EVENT_RESPONSE_END,
  ChunkType.EVENT_RESPONSE_START,
  ChunkType.EVENT_REALTIME_DISCONNECTED,
];

/**
 * Joins the parts of what the model says to sentences, for devices that take no parts (seed 003 §3.4): `TEXT_DELTA` in,
 * `TEXT` out, at most 400 characters each. Everything else passes at once; the begin and the end of a response, and the loss
 * of the connection, behind the words that came before them.
 */
export class SentenceAggregatorStation extends Station {
  #text = '';
  #responseId: string | undefined;

  override process(chunk: AnyChunk): Promise<void> {
    if (chunk.type === ChunkType.TEXT_DELTA && chunk.source === 'bot') {
      if (chunk.responseId !== this.#responseId) this.#flush();
      this.#responseId = chunk.responseId;
      this.#text += chunk.data;
      this.#takeSentences({ more: true });
      return Promise.resolve();
    }
    if (ends.includes(chunk.type)) this.#flush();
    this.push(chunk);
    return Promise.resolve();
  }

  #takeSentences({ more }: { more: boolean }): void {
    for (;;) {
      // Of a long piece no more is looked at than of one that came sign by sign: the sentences are the same.
      const start = this.#text.slice(0, realtimeLimits.sentenceCharacters + 1);
      const end = sentenceEnd(start, { more: more || start.length < this.#text.length }) ?? this.#forcedEnd();
      if (end === undefined) return;
      this.#push(this.#text.slice(0, end));
      this.#text = this.#text.slice(end);
    }
  }

  /** A sentence without an end is cut at its last pause, or anywhere between two characters. */
  #forcedEnd(): number | undefined {
    const limit = realtimeLimits.sentenceCharacters;
    if (this.#text.length <= limit) return undefined;
    const start = this.#text.slice(0, limit);
    const pause = Math.max(...pauses.map((sign) => start.lastIndexOf(sign)));
    if (pause > 0) return pause + 1;
    return /[\uD800-\uDBFF]$/.test(start) ? limit - 1 : limit;
  }

  #flush(): void {
    this.#takeSentences({ more: false });
    this.#push(this.#text);
    this.#text = '';
  }

  #push(text: string): void {
    const data = text.trim();
    if (data !== '') this.push(new TextChunk({ data, source: 'bot', responseId: this.#responseId }));
  }
}
