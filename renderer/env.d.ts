/// <reference types="vite/client" />

/** What Electron's preload exposes: only that it is there, and on which system. */
interface ToolwireShell {
  kind: 'electron';
  /** `process.platform` of the host. */
  platform?: string;
}

interface Window {
  toolwireShell?: ToolwireShell;
}

declare module '@fontsource-variable/inter/wght.css';
declare module '@fontsource-variable/jetbrains-mono/wght.css';
/** Of these Monaco has no types; they are only evaluated. */
declare module 'monaco-editor/editor/common/model/textModel';
declare module 'monaco-editor/editor/browser/widget/codeEditor/codeEditorWidget';
