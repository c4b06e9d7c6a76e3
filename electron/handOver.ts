import { isPageUrl } from './appScheme.ts';
import type { PortLike } from '../src-core/rpc/portWire.ts';
import type { ElectronParts, IpcEvent, WebContentsPart } from './electronParts.ts';

/** The page's request for a port, and the answer that carries it. Both bear the page's nonce. */
const channels = { connect: 'toolwire:connect', port: 'toolwire:port' } as const;

/** Hands message ports to the pages of our windows. */
export interface HandOver {
  /** Lets this window's page ask. Its port closes with the page: navigation, crash, window closed. */
  admit(contents: WebContentsPart): void;
}

/**
 * Listens for pages that ask for a port: only the top frame of an admitted window, only our page, and a nonce used
 * once. A page has one port; asking again closes the one before. Everything else is dropped without an answer.
 */
export function createHandOver(options: {
  ipcMain: ElectronParts['ipcMain'];
  createChannel: ElectronParts['createChannel'];
  /** Serves the contract on a port; returns the function that ends it. */
  servePort(port: PortLike): () => void;
}): HandOver {
  const { ipcMain, createChannel, servePort } = options;
  const pages = new Map<WebContentsPart, { nonce?: string; close?: () => void }>();

  function close(contents: WebContentsPart): void {
    const page = pages.get(contents);
    page?.close?.();
    delete page?.close;
  }

  ipcMain.on(channels.connect, (event, message) => {
    const page = pages.get(event.sender);
    const nonce = nonceOf(message);
    const frame = event.senderFrame;
    if (!page || !nonce || nonce === page.nonce || !isOurPage(event) || !frame) return;
    close(event.sender);
    page.nonce = nonce;
    const { port1, port2 } = createChannel();
    page.close = servePort(port1);
    frame.postMessage(channels.port, { nonce }, [port2]);
  });

  return {
    admit(contents) {
      pages.set(contents, {});
      // A port's own close event does not cross processes reliably.
      contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
        if (isMainFrame && !isSameDocument) close(contents);
      });
      contents.on('render-process-gone', () => close(contents));
      contents.on('destroyed', () => {
        close(contents);
        pages.delete(contents);
      });
    },
  };
}

/** Whether a message comes from the top frame of our own page, as it stands now. */
export function isOurPage({ sender, senderFrame }: IpcEvent): boolean {
  return (
    senderFrame !== null &&
    !senderFrame.detached &&
    senderFrame.parent === null &&
    senderFrame === sender.mainFrame &&
    isPageUrl(senderFrame.url)
  );
}

function nonceOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('nonce' in message)) return undefined;
  const { nonce } = message;
  return typeof nonce === 'string' && nonce.length >= 16 && nonce.length <= 128 ? nonce : undefined;
}
