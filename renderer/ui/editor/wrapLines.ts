import type { EditorHandle } from './editorTypes.ts';

/** Wrapping the lines of a longer text takes a noticeable time, UTF-16 code units. */
const longest = 500_000;

/**
 * Wraps the lines of an editor unless its text is very long. Returns a function to call with the length of a text before the
 * editor gets it, since Monaco wraps a text as it gets it. Pasted texts are noticed here.
 */
export function wrapLines({ editor, model }: EditorHandle, container: HTMLElement): (length: number) => void {
  let isOn: boolean | undefined;
  function expect(length: number): void {
    if (isOn === length <= longest) return;
    isOn = length <= longest;
    editor.updateOptions({ wordWrap: isOn ? 'on' : 'off' });
  }

  expect(model.getValueLength());
  model.onDidChangeContent(() => expect(model.getValueLength()));
  const onPaste = ({ clipboardData }: ClipboardEvent): void => {
    const pasted = clipboardData?.getData('text/plain').length ?? 0;
    if (pasted > longest && editor.getRawOptions().readOnly !== true) expect(pasted);
  };
  container.addEventListener('paste', onPaste, { capture: true });
  return expect;
}
