import { isDue } from '../../../ui/composables/useGrowingText.ts';
import { countElements, readMarkdown, type MarkdownBlock } from './readMarkdown.ts';

/** A reply with more characters or more elements is not read as Markdown: Chromium needs about 50 ms for so many elements. */
const maxLength = 60_000;
const maxElements = 1_500;
/** Characters at the end of a text that are compared with the text that follows it. */
const comparedLength = 64;

/** Blocks that later lines do not change, and where the text behind them begins. */
interface Finished {
  blocks: readonly MarkdownBlock[];
  elements: number;
  end: number;
}

const nothing: Finished = { blocks: [], elements: 0, end: 0 };

export interface GrowingMarkdown {
  /**
   * The blocks of the text, or undefined if there are too many. While the text is `coming`, finished blocks stay the same
   * objects, and a long last block may lack its newest eighth.
   */
  read(text: string, coming: boolean): readonly MarkdownBlock[] | undefined;
}

/** Reads a reply that comes in many pieces: each finished block once, the last one again with each piece. */
export function createGrowingMarkdown(readBlocks: typeof readMarkdown = readMarkdown): GrowingMarkdown {
  let known = '';
  let finished = nothing;
  let blocks: readonly MarkdownBlock[] | undefined = [];

  return {
    read(text, coming) {
      // While it comes it usually only grows, and comparing all of it with each piece would take quadratic time.
      const grows = coming ? text.length >= known.length && endsAlike(text, known) : text.startsWith(known);
      if (!grows) finished = nothing;
      else if (text.length === known.length || blocks === undefined) return blocks;
      else if (coming && !isDue(known.length - finished.end, text.length - finished.end)) return blocks;
      known = text;
      blocks = undefined;
      if (text.length > maxLength) return blocks;
      const rest = readBlocks(text.slice(finished.end));
      const elements = finished.elements + countElements(rest);
      if (elements > maxElements) return blocks;
      blocks = [...finished.blocks, ...rest];
      finished = finish(finished, rest, text.lastIndexOf('\n') + 1);
      return blocks;
    },
  };
}

/** Whether a text goes on as the text before it ended. */
function endsAlike(text: string, before: string): boolean {
  return text.startsWith(before.slice(-comparedLength), Math.max(0, before.length - comparedLength));
}

/** A block is finished if the next one begins with a complete line, that is before `lineStart`. */
function finish(before: Finished, rest: readonly MarkdownBlock[], lineStart: number): Finished {
  const open = rest.findLastIndex(({ start }) => before.end + start < lineStart);
  const done = rest.slice(0, Math.max(0, open));
  if (done.length === 0) return before;
  return {
    blocks: [...before.blocks, ...done],
    elements: before.elements + countElements(done),
    end: before.end + (rest[open]?.start ?? 0),
  };
}
