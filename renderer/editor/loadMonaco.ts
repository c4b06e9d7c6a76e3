import type { InjectionKey } from 'vue';

/** The lazy chunk's exports. Everything outside this folder sees Monaco through components only. */
export type Monaco = typeof import('./monaco.ts');
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

async function load(): Promise<Monaco> {
  await painted();
  if (document.documentElement.lang.startsWith('zh')) await import('monaco-editor/nls/lang/zh-cn');
  const monaco = await import('./monaco.ts');
  const [{ followTheme }, { registerVcp }] = await Promise.all([import('./followTheme.ts'), import('./vcp/registerVcp.ts')]);
  registerVcp(monaco);
  followTheme(monaco);
  void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
  return monaco;
}

function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
