import type { ElectronParts, WebContentsPart } from './electronParts.ts';
import { externalLink } from './externalLink.ts';

/** Keeps contents where they are: no navigation, no webview, no second window. An https link opens in the browser. */
export function guardContents(contents: WebContentsPart, { shell, onError }: Guards): void {
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-attach-webview'] as const) {
    contents.on(event, (details) => details.preventDefault());
  }
  contents.setWindowOpenHandler(({ url }) => {
    const link = externalLink(url);
    if (link) shell.openExternal(link).catch(onError);
    return { action: 'deny' };
  });
}

interface Guards {
  shell: ElectronParts['shell'];
  onError(error: unknown): void;
}
