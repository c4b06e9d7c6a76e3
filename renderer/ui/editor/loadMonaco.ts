import type { InjectionKey } from 'vue';

import type { Monaco } from './monacoType.ts';

export type EditorLoader = () => Promise<Monaco>;

/** Tests provide a loader of their own; the window uses `loadMonaco`. */
export const editorLoaderKey: InjectionKey<EditorLoader> = Symbol('editorLoader');

let loading: Promise<Monaco> | undefined;

/**
 * Loads the editor once, after the page has painted, with its own texts in the document's language.
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
  if (document.documentElement.lang.startsWith('zh')) await import('monaco-editor/nls/lang/zh-cn');
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
  void document.fonts.ready.then(() => loaded.editor.remeasureFonts());
  return loaded;
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
