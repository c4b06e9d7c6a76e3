import type { editor, IDisposable } from 'monaco-editor/editor';

import type { ReplyRegion } from '../../../../src-core/contract/types.ts';
import type { EditorHandle } from '../editorTypes.ts';
import { textChange } from '../textChange.ts';
import { blockSpans, type BlockSpan } from '../../../../src-core/protocols/blockSpans.ts';
import { refusedBlocks, type RefusedBlock } from './refusedBlocks.ts';
import type { VcpProblem, VcpReading } from './vcpContext.ts';

/** Lines painted above and below the window's own, so that scrolling a little needs no work. */
const margin = 120;
const isBroken = ({ problems }: RefusedBlock<VcpProblem>): boolean =>
  problems.some(({ severity }) => severity === 'error');
const wholeLine: ReadonlySet<string> = new Set(['reasoning', 'code', 'echo']);

/**
 * Colours the text by the engine's regions. Only what is near the view is painted, so a long text costs no more than a
 * short one; while the text is newer than the reading, Monaco moves the old paint along.
 */
export function paintRegions(
  handle: EditorHandle,
  reading: () => VcpReading | undefined,
  problems: () => readonly VcpProblem[],
): { paint: () => void; clearChanged: () => void } & IDisposable {
  const { editor: view, model, monaco } = handle;
  const { decorationsOf, rangeOf } = createBrush(handle, problems);
  const collection = view.createDecorationsCollection();
  let painted: { reading: VcpReading; version: number; from: number; to: number } | undefined;
  let decorations: editor.IModelDeltaDecoration[] = [];

  function paint(): void {
    const now = reading();
    if (now === undefined) {
      collection.clear();
      painted = undefined;
      return;
    }
    const [first] = view.getVisibleRanges();
    const last = view.getVisibleRanges().at(-1);
    const top = first?.startLineNumber ?? 1;
    const bottom = last?.endLineNumber ?? 1;
    const version = model.getVersionId();
    const covered = painted?.reading === now && top >= painted.from && bottom <= painted.to;
    if (covered) return;
    if (painted?.reading === now ? version !== painted.version : model.getValue() !== now.text) return;
    const from = Math.max(1, top - margin);
    const to = Math.min(model.getLineCount(), bottom + margin);
    decorations = decorationsOf(now, from, to);
    collection.set(decorations);
    // At the ends of the text nothing is left to paint beyond.
    painted = { reading: now, version, from: from === 1 ? 0 : from, to: to === model.getLineCount() ? Infinity : to };
  }

  /** Takes the paint off what has changed since the reading: Monaco would stretch the old paint over it. */
  function clearChanged(): void {
    const change = painted && textChange(painted.reading.text, model.getValue());
    if (change === undefined) return;
    const changed = rangeOf(change.start, change.start + change.text.length);
    decorations = decorations.flatMap(({ options }, index) => {
      const range = collection.getRange(index);
      return range === null || monaco.Range.areIntersectingOrTouching(range, changed) ? [] : [{ range, options }];
    });
    collection.set(decorations);
  }

  const scrolling = view.onDidScrollChange((event) => {
    if (event.scrollTopChanged || event.scrollHeightChanged) paint();
  });
  return {
    paint,
    clearChanged,
    dispose() {
      scrolling.dispose();
      collection.clear();
    },
  };
}

/** Makes the decorations of some lines. */
function createBrush({ model, monaco }: EditorHandle, problems: () => readonly VcpProblem[]) {
  function decorationsOf(now: VcpReading, from: number, to: number): editor.IModelDeltaDecoration[] {
    const start = model.getOffsetAt({ lineNumber: from, column: 1 });
    const end = model.getOffsetAt({ lineNumber: to, column: model.getLineMaxColumn(to) });
    const visible = now.regions.filter((region) => region.end > start && region.start < end);
    const spans = blockSpans(now);
    const blocks = new Set(spans.map((span) => span.start));
    const shown = spans.filter((span) => span.end > start && span.start < end);
    // Calls outside of the blocks that the reading knows: another protocol, misspelt markers.
    const loose = refusedBlocks(now, problems()).filter(
      (block) => !blocks.has(block.start) && block.end > start && block.start < end,
    );
    return [
      ...visible.filter(({ kind }) => kind !== 'prose').flatMap((region) => colour(region)),
      ...shown.map((span) => bar(span.start, span.end, outcome(now, span))),
      ...visible.filter(({ kind }) => wholeLine.has(kind)).map((region) => bar(region.start, region.end, 'set-aside')),
      ...loose.map((block) => bar(block.start, block.end, isBroken(block) ? 'not-run' : 'warned')),
    ];
  }

  function outcome(now: VcpReading, { request, start, end }: BlockSpan): string {
    if (request !== undefined) return worst(start, end);
    return now.partial === true && end === now.text.length ? 'set-aside' : 'not-run';
  }

  /** By what the problems within a call say. */
  function worst(start: number, end: number): string {
    const within = problems().filter((problem) => problem.start < end && problem.end > start);
    if (within.some(({ severity }) => severity === 'error')) return 'not-run';
    return within.some(({ severity }) => severity === 'warning') ? 'warned' : 'run';
  }

  function colour({ kind, start, end }: ReplyRegion): editor.IModelDeltaDecoration[] {
    const range = rangeOf(start, end);
    const inline = { range, options: { inlineClassName: `vcp-${kind}` } };
    if (!wholeLine.has(kind) || range.startLineNumber === range.endLineNumber) return [inline];
    return [inline, { range: trimmed(start, end), options: { isWholeLine: true, className: `vcp-${kind}-line` } }];
  }

  function bar(start: number, end: number, how: string): editor.IModelDeltaDecoration {
    return {
      range: trimmed(start, end),
      options: { isWholeLine: true, linesDecorationsClassName: `vcp-bar vcp-${how}` },
    };
  }

  /** A region that ends with a line break does not reach into the next line. */
  function trimmed(start: number, end: number) {
    const range = rangeOf(start, end);
    if (range.endColumn > 1 || range.endLineNumber === range.startLineNumber) return range;
    return range.setEndPosition(range.endLineNumber - 1, model.getLineMaxColumn(range.endLineNumber - 1));
  }

  function rangeOf(start: number, end: number) {
    return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  }

  return { decorationsOf, rangeOf };
}
