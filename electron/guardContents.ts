import type { MenuItemConstructorOptions } from 'electron';

import type { ContextMenuDetails, ElectronParts, WebContentsPart } from './electronParts.ts';
import type { ShellTexts } from './texts.ts';

/** Characters of a link that is handed to the system. */
const maxLength = 2048;

/**
 * Prevents navigation, webviews and new windows; an https link opens in the browser. Text fields and selected text get a
 * context menu, which Electron does not provide by itself.
 */
export function guardContents(contents: WebContentsPart, { shell, popUpMenu, texts, onError }: Guards): void {
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-attach-webview'] as const) {
    contents.on(event, (details) => details.preventDefault());
  }
  contents.setWindowOpenHandler(({ url }) => {
    const link = externalLink(url);
    if (link) shell.openExternal(link).catch(onError);
    return { action: 'deny' };
  });
  contents.on('context-menu', (_event, details) => {
    const template = editMenu(details, texts().edit);
    if (template.length > 0) popUpMenu(template, contents);
  });
}

interface Guards {
  shell: ElectronParts['shell'];
  popUpMenu: ElectronParts['popUpMenu'];
  texts(): ShellTexts;
  onError(error: unknown): void;
}

/** Empty for anything but a text field or selected text. */
function editMenu(details: ContextMenuDetails, labels: ShellTexts['edit']): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, editFlags } = details;
  const copy: MenuItemConstructorOptions = { role: 'copy', label: labels.copy, enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', label: labels.cut, enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: labels.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: labels.selectAll, enabled: editFlags.canSelectAll },
  ];
}

/**
 * A link that may be opened in the user's browser, normalised: https, a host, no name or password in it. Undefined
 * for everything else; other schemes start other programs.
 */
function externalLink(url: string): string | undefined {
  if (url.length > maxLength || !URL.canParse(url)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(url);
  return protocol === 'https:' && hostname !== '' && username === '' && password === '' ? href : undefined;
}
