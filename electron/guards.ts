import type { MenuItemConstructorOptions } from 'electron';

import { webLink } from '../src-core/mcp/webLink.ts';
import { guardFrame, isOfApp } from './appSandbox.ts';
import { isAppUrl } from './appScheme.ts';
import type { ContextMenuDetails, ElectronParts, SessionPart, WebContentsPart } from './electronParts.ts';
import type { ShellTexts } from './texts.ts';

/**
 * Prevents navigation, webviews and new windows; a link to a web page opens in the browser. No frame reaches a host over UDP
 * by WebRTC, which the policies of MCP Apps do not cover. Text fields and selected text get a context menu, which Electron
 * does not provide by itself.
 */
export function guardContents(
  contents: WebContentsPart,
  options: {
    electron: Pick<ElectronParts, 'shell' | 'popUpMenu'>;
    texts: () => ShellTexts;
    onError: (error: unknown) => void;
  },
): void {
  const { electron, texts, onError } = options;
  for (const event of ['will-navigate', 'will-attach-webview'] as const)
    contents.on(event, (details) => details.preventDefault());
  contents.on('will-frame-navigate', guardFrame);
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    const link = webLink(url);
    if (link) electron.shell.openExternal(link).catch(onError);
    return { action: 'deny' };
  });
  contents.on('context-menu', (_event, details) => {
    const template = editMenu(details, texts().edit);
    if (template.length > 0) electron.popUpMenu(template, contents);
  });
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

/** Cancels every request that leaves the app, except those of MCP Apps, whose policy names the hosts. Grants the page only the clipboard, the microphone and notifications. */
export function guardSession(
  session: SessionPart,
  options: {
    platform: NodeJS.Platform;
    systemPreferences: ElectronParts['systemPreferences'];
    onError: (error: unknown) => void;
  },
): void {
  const { platform, systemPreferences, onError } = options;
  session.webRequest.onBeforeRequest(({ url, frame }, answer) =>
    // A file that the page itself created for saving has its origin behind `blob:`.
    answer({ cancel: !isOfApp(url, frame) && !isAppUrl(url.replace(/^blob:/, '')) && !/^(devtools|data):/.test(url) }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame, mediaTypes }) => {
    const granted = isGranted(permission, { from: requestingUrl, isMainFrame, mediaTypes });
    if (!granted || permission !== 'media' || platform !== 'darwin') return answer(granted);
    // Electron does not ask macOS itself: while the user's decision is missing, the microphone would deliver silence.
    systemPreferences.askForMediaAccess('microphone').then(answer, (error: unknown) => {
      answer(false);
      onError(error);
    });
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame, mediaType }) =>
    isGranted(permission, { from: origin, isMainFrame, mediaTypes: mediaType === undefined ? [] : [mediaType] }),
  );
  session.setDevicePermissionHandler(() => false);
}

interface Requester {
  /** URL or origin, with or without a trailing slash. */
  from: string;
  isMainFrame: boolean;
  mediaTypes?: readonly string[] | undefined;
}

function isGranted(permission: string, { from, isMainFrame, mediaTypes = [] }: Requester): boolean {
  if (!isAppUrl(`${from}/`)) return false;
  switch (permission) {
    case 'media':
      return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio');
    // Monaco's own context menu pastes through `navigator.clipboard.readText()`.
    case 'clipboard-read':
      return isMainFrame;
    default:
      return permission === 'clipboard-sanitized-write' || permission === 'notifications';
  }
}
