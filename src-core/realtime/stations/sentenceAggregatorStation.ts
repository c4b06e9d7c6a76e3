import { ChunkType, TextChunk, type AnyChunk } from '../chunks.ts';
import { realtimeLimits } from '../limits.ts';
import { sentenceEnd } from './sentenceEnd.ts';
import { Station } from './station.ts';

/**
 * Joins the parts of what the model says to sentences, for devices that take no parts (seed 003 §3.4): `TEXT_DELTA` in,
 * `TEXT` out. Everything else passes, behind the words that came before it.
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
    const ends: ChunkType[] = [
      ChunkType.EVENT_RESPONSE_END,
      ChunkType.EVENT_RESPONSE_START,
      ChunkType.EVENT_REALTIME_DISCONNECTED,
    ];
    if (ends.includes(chunk.type)) this.#flush();
    this.push(chunk);
    return Promise.resolve();
  }

  #takeSentences({ more }: { more: boolean }): void {
    for (;;) {
      // Of a long piece only the beginning is looked at: nothing behind it can end the first sentence.
      const start = this.#text.slice(0, 2 * realtimeLimits.sentenceCharacters);
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
    const pause = Math.max(...[...'，、：,:; '].map((sign) => start.lastIndexOf(sign)));
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
