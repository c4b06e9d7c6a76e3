/** Everything of Monaco that the window uses, as one lazy chunk. Loaded through `loadMonaco.ts` only. */
import { editor, languages, KeyCode, KeyMod, MarkerSeverity, Range, Uri } from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';

self.MonacoEnvironment = {
  getWorker: (_workerId, label) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
};

jsonDefaults.setModeConfiguration({
  ...jsonDefaults.modeConfiguration,
  // Strings of ours are data: a colour box in the middle of one would be noise.
  colors: false,
});

// Keys of the window: palette, run, wire, tool, next remark, shortcuts. The editor leaves them alone.
const { CtrlCmd } = KeyMod;
const windowKeys = [
  CtrlCmd | KeyCode.KeyK,
  CtrlCmd | KeyCode.Enter,
  CtrlCmd | KeyCode.KeyJ,
  CtrlCmd | KeyCode.KeyO,
  KeyCode.F8,
  KeyCode.F1,
  KeyCode.F6,
];
editor.addKeybindingRules(windowKeys.map((keybinding) => ({ keybinding, command: null })));

// The Paste action of Monaco's menus edits the text in one task. As a paste event it is handled like every other paste.
editor.registerCommand('editor.action.clipboardPasteAction', async () => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', await navigator.clipboard.readText());
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
});

export { editor, jsonDefaults, KeyCode, KeyMod, languages, MarkerSeverity, Range, Uri };
