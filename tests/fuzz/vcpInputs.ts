import { vcpPieces } from '../core/protocols/vcp/vcpArbitrary.ts';

/** Random numbers from a seed, quick enough for millions of inputs (xorshift). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0 || 1;
  }

  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % below;
  }

  piece(): string {
    return vcpPieces[this.below(vcpPieces.length)] ?? '';
  }
}

/** A text of up to `most` pieces. */
export function randomText(random: Random, most: number): string {
  let text = '';
  for (let count = random.below(most); count > 0; count--) text += random.piece();
  return text;
}

/** A text with some of its parts left out, doubled, or with pieces put between. */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + random.below(12));
    const between = [random.piece(), '', mutated.slice(at, end).repeat(2)][random.below(3)] ?? '';
    mutated = mutated.slice(0, at) + between + mutated.slice(end);
  }
  return mutated;
}

/** Chunks of a text, of up to `most` code units each. */
export function* randomChunks(random: Random, text: string, most: number): Generator<string> {
  for (let at = 0; at < text.length;) {
    const size = 1 + random.below(most);
    yield text.slice(at, at + size);
    at += size;
  }
}
