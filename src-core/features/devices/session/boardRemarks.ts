import { isExactNumber } from '../../../base/exactNumber.ts';
import type { JsonObject } from '../../../base/json.ts';

/** `serverInfo.name` of clients that are programs on a computer: the limits of boards are not theirs. */
export const programNames: ReadonlySet<string> = new Set(['py-xiaozhi', 'toolwire-device']);

/** Why a board may give no answer at all: its WebSocket refuses larger frames. */
export const silenceHint = 'A board sends no answer if it is larger than 65,535 bytes.';

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
/** Arguments named in one remark. */
const maxNamed = 4;

/** What the firmware makes of arguments that it takes without a word: its integers have 32 bits, and larger ones become the limit. */
export function int32Remark(args: JsonObject): string | undefined {
  const named = Object.entries(args).flatMap(([name, value]) => {
    const number = isExactNumber(value) ? Number(JSON.stringify(value)) : value;
    if (typeof number !== 'number' || (number >= int32.minimum && number <= int32.maximum)) return [];
    return [`"${name}" = ${number < 0 ? int32.minimum : int32.maximum}`];
  });
  if (named.length === 0) return undefined;
  return `Boards read integers of 32 bits: the firmware reads ${named.slice(0, maxNamed).join(', ')}.`;
}
