const tags = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;

/**
 * A model's text without its reasoning (`<think>` and similar tags), also if the answer was cut off within the block,
 * or if a template opened the block, so that only its end is in the text.
 */
export function stripReasoning(text: string): string {
  let kept = '';
  let from = 0;
  let inside = false;
  for (const { 0: tag, 1: slash, index } of text.matchAll(tags)) {
    const opens = slash === '';
    if (opens && inside) continue;
    if (opens) kept += text.slice(from, index);
    else if (!inside) kept = '';
    inside = opens;
    from = index + tag.length;
  }
  return inside ? kept : kept + text.slice(from);
}
