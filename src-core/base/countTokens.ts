import { estimateTokenCount } from 'tokenx';

/** Pieces of a long text that are counted, evenly spaced, and characters of each: 1 MB would take 100 ms. */
const pieces = 16;
const pieceLength = 2_048;

/** Tokens of a text, estimated: near for GPT models on prose and JSON, further off for others. Empty texts have none. */
export function countTokens(text: string): number {
  if (text === '') return 0;
  const counted = pieces * pieceLength;
  if (text.length <= counted) return estimateTokenCount(text);
  const step = (text.length - pieceLength) / (pieces - 1);
  let tokens = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const start = Math.round(piece * step);
    tokens += estimateTokenCount(text.slice(start, start + pieceLength));
  }
  return Math.round((tokens * text.length) / counted);
}
