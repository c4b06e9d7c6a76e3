import { stripMarkdown } from './stripMarkdown.ts';
import { stripPictographs } from './stripPictographs.ts';
import { stripReasoning } from './stripReasoning.ts';

/** A model's answer, fit to be spoken: without reasoning, pictographs, decoration and Markdown (seed 004 §5.2). */
export function cleanReply(text: string): string {
  return stripMarkdown(stripPictographs(stripReasoning(text)))
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
