import type { Monaco } from './monacoType.ts';
import { codeSize } from './createEditor.ts';
import { themeOfTokens } from './themeOfTokens.ts';

/** Keeps every editor in the document's theme (set by `data-theme`, or the system's if unset) and in its size of code. */
export function followTheme(monaco: Monaco): void {
  for (const scheme of ['light', 'dark'] as const) monaco.editor.defineTheme(`toolwire-${scheme}`, readTheme(scheme));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const forced = document.documentElement.dataset.theme;
    const scheme = forced === 'dark' || forced === 'light' ? forced : dark.matches ? 'dark' : 'light';
    monaco.editor.setTheme(`toolwire-${scheme}`);
    for (const each of monaco.editor.getEditors()) each.updateOptions({ fontSize: codeSize() });
  };
  apply();
  dark.addEventListener('change', apply);
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme', 'data-density'] });
}

/** Tokens are `light-dark()` pairs, which are computed by an element with the wanted scheme. */
function readTheme(scheme: 'light' | 'dark') {
  const probe = document.createElement('i');
  probe.style.colorScheme = scheme;
  probe.hidden = true;
  document.body.append(probe);
  const theme = themeOfTokens(scheme, (token) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return theme;
}
