import type { editor } from 'monaco-editor/editor';

import type { Monaco } from './monacoType.ts';

export type EditorLanguage = 'json' | 'vcp' | 'plaintext';

/** A remark on a stretch of the text, in UTF-16 offsets. */
export interface EditorMarker {
  start: number;
  end: number;
  severity: 'error' | 'warning' | 'info';
  message: string;
  code?: string;
}

/** An editor that has been made: for the parts of this folder that build on `CodeEditor`. */
export interface EditorHandle {
  monaco: Monaco;
  editor: editor.IStandaloneCodeEditor;
  model: editor.ITextModel;
}
