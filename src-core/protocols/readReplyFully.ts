import { workPool } from '../base/workPool.ts';
import type { Work } from '../base/workProcess.ts';
import { boundReading } from './boundReading.ts';
import { readReply } from './readReply.ts';
import type { ReplyDialect, ReplyReading } from '../base/replyTypes.ts';

/** Characters of a text of others that are read on the engine's thread: at most 25 ms, whatever they are. */
export const smallText = 16_384;
/** Milliseconds of processor time in a process of the pool: 1 MB of the text that takes longest takes 1,700 ms. */
const limitMs = 5_000;

export const readingWork: Work<undefined, { text: string; dialect: ReplyDialect }, ReplyReading> = {
  name: 'reading',
  open:
    () =>
    ({ text, dialect }, budget) =>
      budget.run(() => boundReading(readReply(text, { dialect }))),
};

/**
 * The first parts of what `readReply` finds (`boundReading.ts`), in a process of the pool if the text is large. Rejects with a
 * `TooMuchWorkError` if that takes too much time or memory or too many texts wait, or with the signal's reason.
 */
export async function readReplyFully(
  text: string,
  { dialect, signal }: { dialect: ReplyDialect; signal?: AbortSignal | undefined },
): Promise<ReplyReading> {
  if (text.length <= smallText) return boundReading(readReply(text, { dialect }));
  return workPool.run(readingWork, { text, dialect }, { limitMs, signal });
}
