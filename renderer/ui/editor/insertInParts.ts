import type { IRange } from 'monaco-editor/editor';

import type { EditorHandle } from './editorTypes.ts';

/** UTF-16 code units that are inserted in one task: more keep the page busy for a noticeable time. */
export const partLength = 200_000;

interface Insertion {
  range: IRange;
  text: string;
  /** Called when all of it is there. */
  done: () => void;
}

/**
 * Replaces a stretch of an editor by a long text: one part in each task, and all of them as one step to undo. Returns a
 * function that leaves out the parts that are not there yet. The caller makes the editor read-only meanwhile.
 */
export function insertInParts({ editor, model, monaco }: EditorHandle, { range, text, done }: Insertion): () => void {
  let [at, start] = [range, 0];
  let timer = setTimeout(insertPart);
  model.pushStackElement();
  function insertPart(): void {
    const end = endOfPart(text, start);
    // A caret that moved after the last part has ended the step.
    if (start > 0) model.popStackElement();
    model.pushEditOperations(editor.getSelections(), [{ range: at, text: text.slice(start, end) }], ([inserted]) => {
      if (inserted !== undefined) at = monaco.Range.fromPositions(monaco.Range.lift(inserted.range).getEndPosition());
      return null;
    });
    start = end;
    timer = setTimeout(start < text.length ? insertPart : finish);
  }
  function finish(): void {
    model.pushStackElement();
    done();
  }
  return () => clearTimeout(timer);
}

/** Neither a pair of surrogates nor of line ends is divided. */
function endOfPart(text: string, start: number): number {
  let end = start + partLength;
  while (end < text.length && /[\r\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
  return end;
}
