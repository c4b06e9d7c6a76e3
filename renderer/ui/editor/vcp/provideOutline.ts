import type { editor, languages } from 'monaco-editor/editor';

import type { ReplyRequest } from '../../../../src-core/contract/types.ts';
import type { Monaco } from '../monacoType.ts';
import { refusedBlocks } from './refusedBlocks.ts';
import { vcpContexts } from './vcpContext.ts';

/** The blocks of the text: calls with their fields, and what is not executed (Ctrl+Shift+O). */
export function provideOutline(monaco: Monaco): languages.DocumentSymbolProvider {
  return {
    provideDocumentSymbols(model) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text.length !== model.getValueLength()) return [];
      const { notRun } = context.words();
      const calls = reading.requests.map((request) => symbol(model, request));
      const rest = refusedBlocks(reading, reading.diagnostics).map(({ start, end, name = '…' }) => ({
        ...place(model, start, end, monaco.languages.SymbolKind.Event),
        name: notRun(name),
        detail: '',
      }));
      return [...calls, ...rest].sort((a, b) => a.range.startLineNumber - b.range.startLineNumber);
    },
  };

  function symbol(model: editor.ITextModel, request: ReplyRequest): languages.DocumentSymbol {
    const { SymbolKind } = monaco.languages;
    const children = request.fields.map((field) => ({
      ...place(model, field.start, field.end, SymbolKind.Field),
      name: field.key,
      detail: preview(model, field.valueRange.start, field.valueRange.end),
    }));
    const name = request.toolName === '' ? '…' : request.toolName;
    const { start, end } = request.range;
    return { ...place(model, start, end, SymbolKind.Function), name, detail: request.command ?? '', children };
  }

  function place(model: editor.ITextModel, start: number, end: number, kind: languages.SymbolKind) {
    const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
    return { kind, tags: [], range, selectionRange: range };
  }
}

function preview(model: editor.ITextModel, start: number, end: number): string {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(Math.min(end, start + 60));
  const text = model.getValueInRange({
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  });
  return text.replaceAll(/\s+/g, ' ');
}
