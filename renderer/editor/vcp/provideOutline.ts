import type { editor, languages } from 'monaco-editor/editor';

import type { ReplyRequest } from '../../../src-core/api/types.ts';
import type { Monaco } from '../monacoType.ts';
import { blockSpans } from './blockSpans.ts';
import { vcpContexts } from './vcpContext.ts';

/** How far into a block its tool's name is looked for. */
const maxLook = 2_000;

/** Blocks that stand where nothing is executed: only their remark tells of them. */
const setAside: ReadonlySet<string> = new Set([
  'fenced',
  'in-reasoning',
  'echoed-result',
  'bare-fields',
  'legacy-marker',
  'escaped-block',
  'inline-call',
]);

/** The blocks of the text: calls with their fields, and what is not executed (Ctrl+Shift+O). */
export function provideOutline(monaco: Monaco): languages.DocumentSymbolProvider {
  return {
    provideDocumentSymbols(model) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text.length !== model.getValueLength()) return [];
      const { notRun } = context.words();
      const others = blockSpans(reading).filter(({ request }) => request === undefined);
      const aside = reading.diagnostics.filter(
        ({ code, start }) => setAside.has(code) && !others.some((span) => start >= span.start && start < span.end),
      );
      const calls = reading.requests.map((request) => symbol(model, request));
      const rest = [...others, ...aside].map(({ start, end }) => ({
        ...place(model, start, end, monaco.languages.SymbolKind.Event),
        name: notRun(toolNameIn(reading.text.slice(start, Math.min(end, start + maxLook)))),
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

/** The tool that a text which is no call names. */
function toolNameIn(text: string): string {
  return /(?:tool_name\s*[:：]\s*.始.|"name"\s*:\s*")\s*([^「」『』"\n]{1,80})/.exec(text)?.[1]?.trim() ?? '…';
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
