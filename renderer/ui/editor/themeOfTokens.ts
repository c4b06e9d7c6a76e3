import type { editor } from 'monaco-editor/editor';

type Rgba = [red: number, green: number, blue: number, alpha: number];

/** Token → the workbench colours it stands for. */
const colors: Record<string, string[]> = {
  'bg-pane': ['editor.background', 'editorGutter.background', 'editorStickyScroll.background', 'minimap.background'],
  text: [
    'editorSuggestWidget.selectedForeground',
    'editorSuggestWidget.selectedIconForeground',
    'list.activeSelectionForeground',
    'list.focusForeground',
    'quickInputList.focusForeground',
    'editor.foreground',
    'editorCursor.foreground',
    'editorWidget.foreground',
    'editorHoverWidget.foreground',
    'inputValidation.infoForeground',
  ],
  'text-2': [
    'editorLineNumber.activeForeground',
    'descriptionForeground',
    'editorSuggestWidget.foreground',
    'icon.foreground',
  ],
  'text-3': [
    'editorLineNumber.foreground',
    'editorLineNumber.dimmedForeground',
    'editor.placeholder.foreground',
    'editorGutter.foldingControlForeground',
  ],
  'bg-hover': ['editor.lineHighlightBackground', 'list.hoverBackground', 'editorStickyScrollHover.background'],
  'bg-active': ['editorBracketMatch.background'],
  'bg-selected': ['editorSuggestWidget.selectedBackground', 'list.activeSelectionBackground', 'list.focusBackground'],
  'bg-raised': [
    'editorWidget.background',
    'editorSuggestWidget.background',
    'editorHoverWidget.background',
    'inputValidation.infoBackground',
    'menu.background',
    'quickInput.background',
    'peekViewEditor.background',
    'editorMarkerNavigation.background',
  ],
  'bg-control': ['input.background', 'dropdown.background'],
  line: ['editorIndentGuide.background1', 'editorRuler.foreground'],
  'line-2': [
    'editorWidget.border',
    'editorSuggestWidget.border',
    'editorHoverWidget.border',
    'inputValidation.infoBorder',
    'menu.border',
    'editorIndentGuide.activeBackground1',
    'editorOverviewRuler.border',
    'editorBracketMatch.border',
  ],
  'line-control': ['input.border', 'scrollbarSlider.activeBackground'],
  accent: [
    'textLink.foreground',
    'textLink.activeForeground',
    'editorLink.activeForeground',
    'editorSuggestWidget.highlightForeground',
    'editorSuggestWidget.focusHighlightForeground',
    'list.highlightForeground',
  ],
  'accent-line': ['focusBorder', 'inputOption.activeBorder'],
  'accent-fill': ['button.background', 'badge.background', 'progressBar.background'],
  'on-accent': ['button.foreground', 'badge.foreground'],
  'error-mark': [
    'editorError.foreground',
    'editorMarkerNavigationError.background',
    'editorOverviewRuler.errorForeground',
  ],
  'warn-mark': [
    'editorWarning.foreground',
    'editorMarkerNavigationWarning.background',
    'editorLightBulb.foreground',
    'editorOverviewRuler.warningForeground',
  ],
  'info-mark': ['editorInfo.foreground', 'editorMarkerNavigationInfo.background', 'editorLightBulbAutoFix.foreground'],
};

/** The same, see-through: token, opacity (0–1), workbench colours. */
const veils: [token: string, opacity: number, names: string[]][] = [
  ['accent-line', 0.32, ['editor.selectionBackground']],
  [
    'accent-line',
    0.16,
    ['editor.inactiveSelectionBackground', 'editor.wordHighlightBackground', 'editor.selectionHighlightBackground'],
  ],
  ['warn-mark', 0.4, ['editor.findMatchBackground']],
  ['warn-mark', 0.2, ['editor.findMatchHighlightBackground']],
  ['line-control', 0.3, ['scrollbarSlider.background']],
  ['line-control', 0.5, ['scrollbarSlider.hoverBackground']],
  ['text', 0, ['widget.shadow', 'scrollbar.shadow', 'editorOverviewRuler.background']],
];

const rules: [scope: string, token: string][] = [
  ['string.key.json', 'vcp-key'],
  ['string.value.json', 'json-string'],
  ['number.json', 'json-number'],
  ['keyword.json', 'json-word'],
  ['delimiter', 'text-3'],
];

/** Monaco's theme out of our tokens, read for one scheme. `color` returns a token's value as CSS text. */
export function themeOfTokens(scheme: 'light' | 'dark', color: (token: string) => string): editor.IStandaloneThemeData {
  const hex = (token: string, opacity = 1) => toHex(color(token), opacity);
  const named = Object.entries(colors).flatMap(([token, names]) => names.map((name) => [name, hex(token)] as const));
  const veiled = veils.flatMap(([token, opacity, names]) => names.map((name) => [name, hex(token, opacity)] as const));
  return {
    base: scheme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    colors: Object.fromEntries([...named, ...veiled]),
    rules: [
      { token: '', foreground: hex('text').slice(1) },
      ...rules.map(([token, from]) => ({ token, foreground: hex(from).slice(1) })),
    ],
  };
}

function toHex(css: string, opacity: number): string {
  const [red, green, blue, alpha] = channels(css);
  const pair = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  const body = `#${pair(red)}${pair(green)}${pair(blue)}`;
  return alpha * opacity === 1 ? body : body + pair(alpha * opacity * 255);
}

/** `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` and `color(srgb 0.1 0.2 0.3 / 0.5)`: what browsers compute colours to. */
function channels(css: string): Rgba {
  const numbers = (css.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  return css.startsWith('color(') ? [red * 255, green * 255, blue * 255, alpha] : [red, green, blue, alpha];
}
