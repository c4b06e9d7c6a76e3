import type { editor } from 'monaco-editor/editor';

import type { EditorHandle, EditorLanguage } from './editorTypes.ts';
import type { Monaco } from './monacoType.ts';

export interface CreateEditorOptions {
  monaco: Monaco;
  container: HTMLElement;
  text: string;
  language: EditorLanguage;
  label: string;
  /** Why the text cannot be changed. */
  readOnlyReason: string | undefined;
  placeholder?: string | undefined;
}

let count = 0;

/** A Monaco editor with the window's habits. The caller disposes editor and model. */
export function createEditor(options: CreateEditorOptions): EditorHandle {
  const { monaco, container, text, language } = options;
  count += 1;
  const uri = monaco.Uri.parse(`inmemory://toolwire/${String(count)}.${language === 'plaintext' ? 'txt' : language}`);
  const model = monaco.editor.createModel(text, language, uri);
  const plain = { enabled: false, independentColorPoolPerBracketType: false };
  model.updateOptions({ tabSize: 2, insertSpaces: true, bracketColorizationOptions: plain });
  return { monaco, model, editor: monaco.editor.create(container, { ...habits, ...variable(options), model }) };
}

const habits: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  lineHeight: 20,
  fontLigatures: false,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  smoothScrolling: false,
  padding: { top: 8, bottom: 8 },
  overviewRulerLanes: 2,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  renderLineHighlight: 'line',
  renderLineHighlightOnlyWhenFocus: true,
  scrollbar: {
    verticalScrollbarSize: 10,
    horizontalScrollbarSize: 10,
    useShadows: false,
    alwaysConsumeMouseWheel: false,
  },
  fixedOverflowWidgets: true,
  // Tab goes to the next control, as in the rest of the window; Ctrl+M lets it indent.
  tabFocusMode: true,
  // What a model wrote is data: no marks on full-width signs, no prompt about odd line ends.
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: true, nonBasicASCII: false },
  unusualLineTerminators: 'off',
  // Problems stay marked while the text cannot be changed.
  renderValidationDecorations: 'on',
  links: false,
  occurrencesHighlight: 'off',
  wordBasedSuggestions: 'off',
  // A closing sign that stands there is typed over, whether or not Monaco still knows that it set it: a suggestion makes
  // it forget.
  autoClosingOvertype: 'always',
  stickyScroll: { enabled: false },
  dropIntoEditor: { enabled: false },
  pasteAs: { enabled: false },
};

/** The options of a text that cannot be changed for this reason, or can be if there is none. */
export function readOnlyOptions(reason: string | undefined) {
  return { readOnly: reason !== undefined, readOnlyMessage: { value: reason ?? '' } };
}

function variable({ container, label, readOnlyReason, language, placeholder }: CreateEditorOptions) {
  const family = getComputedStyle(container).getPropertyValue('--font-mono').trim();
  return {
    ariaLabel: label,
    fontSize: codeSize(),
    ...readOnlyOptions(readOnlyReason),
    wordWrap: 'off' as const,
    // Monaco looks for the other bracket in the whole text; only JSON has brackets.
    matchBrackets: language === 'json' ? ('always' as const) : ('never' as const),
    ...(family === '' ? {} : { fontFamily: family }),
    ...(placeholder === undefined ? {} : { placeholder }),
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 14,
    glyphMargin: language === 'vcp',
  };
}

/** px of code in the density of the window. */
export const codeSize = (): number =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--fs-12'), 10) || 12;
