import type { ReplyDiagnostic } from '../../../src-core/contract/types.ts';

export type TextEdit = NonNullable<ReplyDiagnostic['fix']>['edits'][number];

/** The text with the edits made that can be; their offsets are all into the text as it was. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, newText } of possibleEdits(text, edits)) {
    result += text.slice(done, start) + newText;
    done = end;
  }
  return result + text.slice(done);
}

/** The edits within the text that overlap no earlier one, in its order. */
export function possibleEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let done = 0;
  const inOrder = edits.toSorted((a, b) => a.start - b.start);
  return inOrder.filter(({ start, end }) => {
    const isPossible = start >= done && end >= start && end <= text.length;
    if (isPossible) done = end;
    return isPossible;
  });
}
