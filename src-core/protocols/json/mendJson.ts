import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { JsonProblem } from '../../base/jsonNode.ts';
import { scanJson } from '../../base/scanJson.ts';

/** The edits that make a stretch of a text one JSON value; undefined unless every fault has a fix. */
export function mendJson(
  source: string,
  { start, end }: TextRange,
  problems: readonly JsonProblem[],
): TextEdit[] | undefined {
  if (problems.some(({ edits }) => edits === undefined)) return undefined;
  const edits = problems.flatMap((problem) => problem.edits ?? []).sort((a, b) => a.start - b.start);
  let mended = '';
  let at = start;
  for (const edit of edits) {
    if (edit.start < at) return undefined;
    mended += source.slice(at, edit.start) + edit.newText;
    at = edit.end;
  }
  mended = (mended + source.slice(at, Math.max(at, end))).trimEnd();
  const scan = scanJson(mended, { start: 0, limit: mended.length, strict: true });
  return scan.problems.length === 0 && scan.end === mended.length ? edits : undefined;
}
