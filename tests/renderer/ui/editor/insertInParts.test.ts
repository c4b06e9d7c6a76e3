import { expect, onTestFinished, test, vi } from 'vitest';
import type { EditorHandle } from '../../../../renderer/ui/editor/editorTypes.ts';
import { insertInParts, partLength } from '../../../../renderer/ui/editor/insertInParts.ts';

interface Stretch {
  start: number;
  end: number;
}

/** Stands for Monaco's model: its ranges are offsets. */
function modelOf(initial: string) {
  const told = { text: initial, parts: [] as string[], undoSteps: 0 };
  let isOpen = false;
  const model = {
    pushStackElement: () => void (isOpen = false),
    popStackElement: () => void (isOpen = true),
    pushEditOperations(_: unknown, edits: { range: Stretch; text: string }[], caret: (inverse: object[]) => null) {
      if (!isOpen) told.undoSteps += 1;
      isOpen = true;
      for (const { range, text } of edits) {
        told.text = told.text.slice(0, range.start) + text + told.text.slice(range.end);
        told.parts.push(text);
        caret([{ range: { start: range.start, end: range.start + text.length } }]);
      }
    },
  };
  const Range = {
    lift: ({ end }: Stretch) => ({ getEndPosition: () => end }),
    fromPositions: (at: number) => ({ start: at, end: at }),
  };
  const handle = { editor: { getSelections: () => [] }, model, monaco: { Range } } as unknown as EditorHandle;
  function insert(range: Stretch, text: string) {
    const done = vi.fn();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    return { done, stop: insertInParts(handle, { range: range as never, text, done }) };
  }
  return { told, insert, model };
}

test('a long text takes the place of a stretch, a part in each task, as one step to undo', () => {
  const { told, insert } = modelOf('before old after');
  const text = 'new '.repeat(partLength / 2);
  const { done } = insert({ start: 7, end: 10 }, text);
  expect(told.parts).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(told.parts).toEqual([text.slice(0, partLength)]);
  expect(done).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(told.parts).toHaveLength(2);
  expect(told.text).toBe(`before ${text} after`);
  expect(told.undoSteps).toBe(1);
  expect(done).toHaveBeenCalledOnce();
});

test('a caret that moves between two parts adds no step to undo', () => {
  const { told, insert, model } = modelOf('');
  model.pushEditOperations(null, [{ range: { start: 0, end: 0 }, text: 'typed ' }], () => null);
  insert({ start: 6, end: 6 }, 'x'.repeat(3 * partLength));
  for (let part = 1; part <= 3; part += 1) {
    vi.advanceTimersToNextTimer();
    model.pushStackElement();
  }
  vi.runAllTimers();
  expect(told.text).toHaveLength(6 + 3 * partLength);
  expect(told.undoSteps).toBe(2);
});

test.each(['\r\n', '😀'])('%j is not divided', (pair) => {
  const { told, insert } = modelOf('');
  const text = `${'x'.repeat(partLength - 1)}${pair}y`;
  insert({ start: 0, end: 0 }, text);
  vi.runAllTimers();
  expect(told.parts).toEqual([text.slice(0, -1), 'y']);
});

test('when it is stopped, no more parts come', () => {
  const { told, insert } = modelOf('');
  const { done, stop } = insert({ start: 0, end: 0 }, 'x'.repeat(3 * partLength));
  vi.advanceTimersToNextTimer();
  stop();
  vi.runAllTimers();
  expect(told.text).toHaveLength(partLength);
  expect(done).not.toHaveBeenCalled();
});
