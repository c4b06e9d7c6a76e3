import type { editor, languages } from 'monaco-editor/editor';

import type { Monaco } from '../monacoType.ts';
import { provideCompletions } from './provideCompletions.ts';
import { blockSpans } from '../../../../src-core/protocols/blockSpans.ts';
import { vcpContexts, type VcpMethod, type VcpProblem } from './vcpContext.ts';
import { findMethods } from './findMethods.ts';
import type { ReplyRequest } from '../../../../src-core/contract/types.ts';
import { refusedBlocks } from './refusedBlocks.ts';

const folding: ReadonlySet<string> = new Set(['reasoning', 'code', 'echo']);

/** Blocks, reasoning, code and echoed results fold. */
const provideFolding: languages.FoldingRangeProvider = {
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

/** VCP as a language of the editor. It has no grammar of its own: everything comes from the engine's reading. */
export function registerVcp(monaco: Monaco): void {
  const { languages } = monaco;
  languages.register({ id: 'vcp', extensions: ['.vcp'] });
  languages.setLanguageConfiguration('vcp', {
    brackets: [],
    surroundingPairs: [{ open: '「', close: '」' }],
    wordPattern: /[A-Za-z0-9_.-]+|[^\s「」:,<>[\]]+/,
  });
  languages.registerCompletionItemProvider('vcp', provideCompletions(monaco));
  languages.registerHoverProvider('vcp', provideHover(monaco));
  languages.registerFoldingRangeProvider('vcp', provideFolding);
  languages.registerDocumentSymbolProvider('vcp', provideOutline(monaco));
  languages.registerCodeActionProvider('vcp', provideFixes(monaco), { providedCodeActionKinds: ['quickfix'] });
}

function linesOf(model: editor.ITextModel, start: number, end: number): languages.FoldingRange {
  const first = model.getPositionAt(start);
  const last = model.getPositionAt(end);
  return { start: first.lineNumber, end: last.column === 1 ? last.lineNumber - 1 : last.lineNumber };
}

/** What a name in the text means right now: description and parameters. */
function provideHover(monaco: Monaco): languages.HoverProvider {
  return {
    provideHover(model, position) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text.length !== model.getValueLength()) return null;
      const offset = model.getOffsetAt(position);
      const region = reading.regions.find(
        ({ kind, start, end }) => kind === 'name' && offset >= start && offset <= end,
      );
      const request = reading.requests.find(({ range }) => offset >= range.start && offset < range.end);
      if (region === undefined) return null;
      const name = request?.toolName ?? reading.text.slice(region.start, region.end);
      const methods = findMethods(context.methods(), name, request?.command);
      const range = monaco.Range.fromPositions(model.getPositionAt(region.start), model.getPositionAt(region.end));
      const { required } = context.words();
      return { range, contents: methods.slice(0, 3).map((method) => ({ value: describe(method, required) })) };
    },
  };
}

function describe(method: VcpMethod, required: string): string {
  const parameters = method.parameters.slice(0, 20).map(({ name, type, required: must, description }) => {
    const words = description === undefined ? '' : ` — ${escape(description.slice(0, 200))}`;
    return `- **${escape(name)}** _${escape(type)}_${must ? ` (${required})` : ''}${words}`;
  });
  const head = `**${escape(method.qualifiedName)}** · ${escape(method.sourceLabel)}`;
  return [head, escape(method.description.slice(0, 600)), parameters.join('\n')].join('\n\n');
}

/** Descriptions come from tools: shown as the words they are, never as Markdown, links or HTML. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>&~:]/g, '\\$&').replaceAll('\n', ' ');
}

/** A diagnostic's fix as a quick fix (Ctrl+.). */
function provideFixes(monaco: Monaco): languages.CodeActionProvider {
  return {
    provideCodeActions(model, range, { markers }) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text !== model.getValue())
        return { actions: [], dispose };
      const near = context.problems().filter((problem) => {
        const at = rangeOf(model, problem.start, problem.end);
        return problem.fix !== undefined && monaco.Range.areIntersectingOrTouching(at, range);
      });
      return { actions: near.map((problem) => action(model, problem, markers)), dispose };
    },
  };

  function action(
    model: editor.ITextModel,
    { fix, code }: VcpProblem,
    markers: editor.IMarkerData[],
  ): languages.CodeAction {
    const edits = (fix?.edits ?? []).map(({ start, end, newText }) => ({
      resource: model.uri,
      versionId: model.getVersionId(),
      textEdit: { range: rangeOf(model, start, end), text: newText },
    }));
    return {
      title: fix?.title ?? code,
      kind: 'quickfix',
      isPreferred: true,
      edit: { edits },
      diagnostics: markers.filter((marker) => marker.code === code),
    };
  }

  function rangeOf(model: editor.ITextModel, start: number, end: number) {
    return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  }
}

function dispose(): void {
  // Nothing is held between the list and its use.
}

/** The blocks of the text: calls with their fields, and what is not executed (Ctrl+Shift+O). */
function provideOutline(monaco: Monaco): languages.DocumentSymbolProvider {
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
