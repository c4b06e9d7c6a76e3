import type { editor, languages } from 'monaco-editor/editor';

import { blockSpans } from '../../../../src-core/protocols/blockSpans.ts';
import { vcpContexts } from './vcpContext.ts';

const folding: ReadonlySet<string> = new Set(['reasoning', 'code', 'echo']);

/** Blocks, reasoning, code and echoed results fold. */
export const provideFolding: languages.FoldingRangeProvider = {
  provideFoldingRanges(model) {
    const reading = vcpContexts.get(model.uri.toString())?.reading();
    if (reading === undefined || reading.text.length !== model.getValueLength()) return [];
    const aside = reading.regions.filter(({ kind }) => folding.has(kind));
    return [...blockSpans(reading), ...aside]
      .map(({ start, end }) => linesOf(model, start, end))
      .filter((range) => range.end > range.start)
      .sort((a, b) => a.start - b.start);
  },
};

function linesOf(model: editor.ITextModel, start: number, end: number): languages.FoldingRange {
  const first = model.getPositionAt(start);
  const last = model.getPositionAt(end);
  return { start: first.lineNumber, end: last.column === 1 ? last.lineNumber - 1 : last.lineNumber };
}
