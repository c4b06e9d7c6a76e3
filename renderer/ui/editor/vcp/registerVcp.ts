import type { Monaco } from '../monacoType.ts';
import { provideCompletions } from './provideCompletions.ts';
import { provideFixes } from './provideFixes.ts';
import { provideFolding } from './provideFolding.ts';
import { provideHover } from './provideHover.ts';
import { provideOutline } from './provideOutline.ts';

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
