import { stripMarkdown } from './stripMarkdown.ts';
import { stripPictographs } from './stripPictographs.ts';

/**
 * A model's answer as it can be spoken: without pictographs, decoration and Markdown (seed 004 §5.2). `stripReasoning` comes
 * first. Takes time in proportion to the text.
 */
export function cleanReply(text: string): string {
  return stripMarkdown(stripPictographs(text).replace(/\n{3,}/g, '\n\n'))
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
