import type { Clock } from '../../base/clock.ts';
import type { ToolMetadata } from '../../registry/types.ts';
import type { Inbox } from './inbox.ts';
import { pagesAhead, toolsAnswer, wireVersion } from './messages.ts';

/** ms until a question that was not answered is asked again. */
export const askAgainMs = 2_000;
/** Methods of one device. */
const maxMethods = 10_000;
const tooLarge = 'The tools are too large to be listed at this node.';

interface Wanted {
  node: string;
  hash: string;
  /** Counts the bytes of a page. Returns false if they are not to be kept. */
  fits: (bytes: number) => boolean;
}

/**
 * Asks a node for the list of tools with this hash. `onEnd` gets the list, which has no methods if it is too large, or undefined if a
 * page does not arrive. Returns the function that ends the wait.
 */
export function fetchTools(
  { inbox, clock }: { inbox: Inbox; clock: Clock },
  { node, hash, fits }: Wanted,
  onEnd: (list: ToolMetadata | undefined) => void,
): () => void {
  const methods: ToolMetadata['methods'] = [];
  let pages = 0;
  let stopTimer: (() => void) | undefined;
  const startTimer = (): void => {
    stopTimer?.();
    stopTimer = clock.after(askAgainMs, () => onEnd(undefined));
  };
  const stop = inbox.ask(`n.${node}.tools`, { v: wireVersion, hash }, (answer) => {
    if (typeof answer === 'string') return;
    const read = toolsAnswer.safeParse(answer.data);
    if (!read.success || read.data.methods === undefined) return;
    const { methods: page, error, isLast } = read.data;
    if (!fits(answer.bytes) || methods.length + page.length > maxMethods)
      return onEnd({ methods: [], error: tooLarge });
    methods.push(...page);
    pages += 1;
    if (isLast) return onEnd({ methods, ...(error !== undefined && { error }) });
    startTimer();
    if (pages % pagesAhead === 0) inbox.askForMore(node, answer.topic);
  });
  startTimer();
  return () => {
    stop();
    stopTimer?.();
  };
}
