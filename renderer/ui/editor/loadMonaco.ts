import { watch, type InjectionKey } from 'vue';

import { language, type Language } from '../../i18n/index.ts';
import type { Monaco } from './monacoType.ts';

export type EditorLoader = () => Promise<Monaco>;

/** Tests provide a loader of their own; the window uses `loadMonaco`. */
export const editorLoaderKey: InjectionKey<EditorLoader> = Symbol('editorLoader');

let loading: Promise<Monaco> | undefined;

/**
 * Loads the editor once, after the page has painted, with its own texts in the window's language.
 * A failed load (a lost connection) may be tried again.
 */
export function loadMonaco(): Promise<Monaco> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** From the ground up, so that the window has its turn in between: evaluated at once they are a task of 150 ms of processor. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('monaco-editor/editor/common/model/textModel'),
  () => import('monaco-editor/editor/browser/widget/codeEditor/codeEditorWidget'),
  () => import('monaco-editor/editor'),
  () => import('monaco-editor/features/register.all'),
];

async function load(): Promise<Monaco> {
  await painted();
  await translate(language.value);
  for (const part of parts) {
    await part();
    await turn();
  }
  const loaded = await import('./monaco.ts');
  await turn();
  const [{ followTheme }, { registerVcp }] = await Promise.all([
    import('./followTheme.ts'),
    import('./vcp/registerVcp.ts'),
  ]);
  registerVcp(loaded);
  followTheme(loaded);
  watch(language, (now) => void translate(now));
  void document.fonts.ready.then(() => loaded.editor.remeasureFonts());
  return loaded;
}

const nls = globalThis as { _VSCODE_NLS_MESSAGES?: readonly string[] | undefined };
let chinese: readonly string[] | undefined;

/** Sets the language of the editor's own texts, which it looks up when it shows them. */
async function translate(to: Language): Promise<void> {
  if (to === 'zh' && chinese === undefined) {
    await import('monaco-editor/nls/lang/zh-cn');
    chinese = nls._VSCODE_NLS_MESSAGES;
  }
  nls._VSCODE_NLS_MESSAGES = to === 'zh' ? chinese : undefined;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
