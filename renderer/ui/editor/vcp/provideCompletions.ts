import type { IRange, languages } from 'monaco-editor/editor';

import type { Monaco } from '../monacoType.ts';
import { caretPlace, type CaretPlace } from './caretPlace.ts';
import { findMethods } from './findMethods.ts';
import { vcpContexts, type VcpContext, type VcpMethod } from './vcpContext.ts';

/** Tool names, commands, keys and values, from what is registered right now. */
export function provideCompletions(monaco: Monaco): languages.CompletionItemProvider {
  return {
    triggerCharacters: ['<', '始', '」', '\n'],
    provideCompletionItems(model, position) {
      const context = vcpContexts.get(model.uri.toString());
      if (context === undefined) return { suggestions: [] };
      const before = model.getValueInRange({
        startLineNumber: 1,
        startColumn: 1,
        endLineNumber: position.lineNumber,
        endColumn: position.column,
      });
      const place = caretPlace(before);
      const typed =
        place.in === 'value'
          ? place.typed
          : (/(?<![A-Za-z0-9_<[-])[A-Za-z0-9_<[-]*$/.exec(before.slice(-100))?.[0] ?? '');
      const range = monaco.Range.fromPositions(model.getPositionAt(before.length - typed.length), position);
      if (place.in === 'text')
        return { suggestions: typed.startsWith('<') ? [wholeBlock(monaco, context, range)] : [] };
      return {
        suggestions:
          place.in === 'key' ? keys(monaco, context, place.fields, range) : values(monaco, context, place, range),
      };
    },
  };
}

function wholeBlock({ languages: kinds }: Monaco, context: VcpContext, range: IRange): languages.CompletionItem {
  const { CompletionItemKind, CompletionItemInsertTextRule } = kinds;
  const block = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」$0「末」\n<<<[END_TOOL_REQUEST]>>>';
  return {
    label: context.words().newRequest,
    filterText: '<<<[TOOL_REQUEST]>>>',
    kind: CompletionItemKind.Snippet,
    insertText: block,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    range,
  };
}

function keys(
  { languages: kinds }: Monaco,
  context: VcpContext,
  fields: ReadonlyMap<string, string>,
  range: IRange,
): languages.CompletionItem[] {
  const { CompletionItemKind, CompletionItemInsertTextRule } = kinds;
  const methods = methodsOf(context, fields);
  const needsCommand =
    methods.length > 1 || !methods.some((method) => method.qualifiedName === fields.get('tool_name'));
  const routing = ['tool_name', ...(needsCommand ? ['command'] : []), 'request_id'];
  const own = methods.length === 1 ? (methods[0]?.parameters ?? []) : [];
  const items = [
    ...own.map(({ name, type, required, description }) => ({
      name,
      detail: required ? `${type} · ${context.words().required}` : type,
      description,
      rank: required ? '1' : '2',
    })),
    ...routing.map((name) => ({
      name,
      detail: 'VCP',
      description: undefined,
      rank: name === 'request_id' ? '3' : '0',
    })),
  ].filter(({ name }) => !fields.has(name));
  return items.map(({ name, detail, description, rank }) => ({
    label: name,
    detail,
    ...(description === undefined ? {} : { documentation: description }),
    sortText: rank + name,
    kind: CompletionItemKind.Field,
    insertText: `${name.replaceAll('$', '\\$')}:「始」$0「末」`,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    command: { id: 'editor.action.triggerSuggest', title: '' },
    range,
  }));
}

function values(
  { languages: { CompletionItemKind } }: Monaco,
  context: VcpContext,
  place: Extract<CaretPlace, { in: 'value' }>,
  range: IRange,
): languages.CompletionItem[] {
  if (place.key === 'tool_name') {
    const methods = context.methods();
    const shared = sharedNames(methods);
    return methods.map((method) => {
      const { qualifiedName, toolName, toolId, command, sourceLabel, description } = method;
      // A name that tools share runs nothing; the tool and its command do.
      const isShared = shared.has(qualifiedName);
      const both = place.fields.has('command') ? toolId : `${toolId}「末」,\ncommand:「始」${command}`;
      return {
        label: isShared
          ? { label: qualifiedName, detail: ` ${toolId} · ${command}`, description: `${toolName} · ${sourceLabel}` }
          : { label: qualifiedName, description: sourceLabel },
        documentation: description,
        kind: CompletionItemKind.Function,
        insertText: isShared ? both : qualifiedName,
        range,
      };
    });
  }
  if (place.key === 'command') {
    const named = findMethods(context.methods(), place.fields.get('tool_name') ?? '');
    return named.map((method) => ({
      label: method.command,
      documentation: method.description,
      kind: CompletionItemKind.Method,
      insertText: method.command,
      range,
    }));
  }
  const parameter = methodsOf(context, place.fields)[0]?.parameters.find(({ name }) => name === place.key);
  return (parameter?.values ?? []).map((value) => ({
    label: value,
    kind: CompletionItemKind.EnumMember,
    insertText: value,
    range,
  }));
}

function sharedNames(methods: readonly VcpMethod[]): Set<string> {
  const known = new Set<string>();
  const shared = new Set<string>();
  for (const { qualifiedName } of methods) (known.has(qualifiedName) ? shared : known).add(qualifiedName);
  return shared;
}

function methodsOf(context: VcpContext, fields: ReadonlyMap<string, string>): VcpMethod[] {
  const name = fields.get('tool_name')?.trim();
  return name === undefined ? [] : findMethods(context.methods(), name, fields.get('command')?.trim());
}
