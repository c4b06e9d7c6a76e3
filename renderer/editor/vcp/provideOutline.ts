import type { editor, languages } from 'monaco-editor/editor';

import type { ReplyRequest } from '../../../src-core/api/types.ts';
import type { Monaco } from '../monacoType.ts';
import { vcpContexts } from './vcpContext.ts';

/** The calls of the text, each with its fields (Ctrl+Shift+O). */
export function provideOutline(monaco: Monaco): languages.DocumentSymbolProvider {
  return {
    provideDocumentSymbols(model) {
      const reading = vcpContexts.get(model.uri.toString())?.reading();
      if (reading === undefined || reading.text.length !== model.getValueLength()) return [];
      return reading.requests.map((request) => symbol(model, request));
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
