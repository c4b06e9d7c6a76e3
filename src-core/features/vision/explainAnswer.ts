import type { JsonObject } from '../../base/json.ts';

/** Bytes of a whole answer: boards hang for ever on about 8,192 and more (docs/protocols/xiaozhi.md). */
const maxBytes = 7_000;

/** What a device is told about its picture: an answer, or why there is none. */
export interface PictureAnswer {
  success: boolean;
  text: string;
}

/** The JSON that a device gets; longer text is cut and ends in `…`. */
export function explainAnswer({ success, text }: PictureAnswer): JsonObject {
  const asJson = (words: string): JsonObject =>
    success ? { success, action: 'RESPONSE', response: words } : { success, action: 'ERROR', message: words };
  if (fits(asJson(text))) return asJson(text);
  // By halves: how many bytes a character takes depends on the character.
  let [short, long] = [0, Math.min(text.length, maxBytes)];
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2);
    if (fits(asJson(cut(text, middle)))) short = middle;
    else long = middle;
  }
  return asJson(cut(text, short));
}

/** Whether an answer reaches a device whole. */
export function fitsAnswer(text: string): boolean {
  return fits({ success: true, action: 'RESPONSE', response: text });
}

function fits(answer: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(answer)) < maxBytes;
}

function cut(text: string, length: number): string {
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
