import type { ReplyDiagnostic } from '../../../src-core/contract/types.ts';

export type TextEdit = NonNullable<ReplyDiagnostic['fix']>['edits'][number];

/** The text with every edit made; their offsets are all into the text as it was. Edits that overlap an earlier one are left out. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.map((edit, at) => ({ edit, at })).sort((a, b) => a.edit.start - b.edit.start || a.at - b.at);
  let result = '';
  let done = 0;
  for (const { edit } of inOrder) {
    if (edit.start < done || edit.end < edit.start || edit.end > text.length) continue;
    result += text.slice(done, edit.start) + edit.newText;
    done = edit.end;
  }
  return result + text.slice(done);
}
