import { isOfCollection, isWindowCommand } from '../src-core/contract/types.ts';

/** The preload without Electron: requests a port, passes the port to the page, and forwards dropped files. */
export interface PreloadParts {
  contextBridge: { exposeInMainWorld(name: string, value: object): void };
  ipcRenderer: {
    send(channel: string, message: unknown): void;
    on(channel: string, listener: (event: { ports: MessagePort[] }, message: unknown) => void): unknown;
  };
  window: Pick<Window, 'addEventListener' | 'postMessage' | 'origin'>;
  /** `process.platform`. */
  platform: string;
  /** Path of one of the user's files; empty for a file that the page created. */
  pathOf(file: File): string;
}

/**
 * Forwards the page's `toolwire:connect` with a nonce to the main process, which checks the sender, and passes the port
 * it answers with to the page as `toolwire:port`. If the user drops a folder or a collection file, its path is sent to
 * the main process. So are the window commands of the page's palette, by name. The page is told the paths of dropped and
 * chosen JSON and TOML files as `toolwire:file`: servers that are imported from one remember it. Nothing else is
 * forwarded, and the page gets no function to call.
 */
export function installBridge({ contextBridge, ipcRenderer, window, platform, pathOf }: PreloadParts): void {
  // A page with an opaque origin can be addressed only by '*'. The message stays in this window.
  const target = window.origin === 'null' ? '*' : window.origin;
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== window) return;
    const nonce = nonceOf(event.data, 'toolwire:connect');
    if (nonce) ipcRenderer.send('toolwire:connect', { nonce });
    const command = commandOf(event.data);
    if (isWindowCommand(command)) ipcRenderer.send('toolwire:window', command);
  });
  ipcRenderer.on('toolwire:port', ({ ports }, message) => {
    const [port] = ports;
    const nonce = nonceOf(message);
    if (port && nonce) window.postMessage({ type: 'toolwire:port', nonce }, target, [port]);
  });
  const tellPath = (file: File): void => {
    const path = /\.(?:jsonc?|toml)$/i.test(file.name) ? pathOf(file) : '';
    if (path === '') return;
    const { name, size, lastModified } = file;
    window.postMessage({ type: 'toolwire:file', name, size, lastModified, path }, target);
  };
  window.addEventListener('change', (event: Event) => {
    const { files = null } = (event.target ?? {}) as { files?: FileList | null };
    if (event.isTrusted && files) for (const file of files) tellPath(file);
  });
  window.addEventListener('drop', (event: DragEvent) => {
    if (!event.isTrusted) return;
    for (const file of event.dataTransfer?.files ?? []) tellPath(file);
    const paths = [...(event.dataTransfer?.items ?? [])].flatMap((item) => {
      const file = item.getAsFile();
      const isFolder = item.webkitGetAsEntry()?.isDirectory === true;
      return file && (isFolder || isOfCollection(file.name)) ? [pathOf(file)] : [];
    });
    if (paths.length > 0) ipcRenderer.send('toolwire:dropped', paths);
  });
  contextBridge.exposeInMainWorld('toolwireShell', { kind: 'electron', platform });
}

function commandOf(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('type' in message) || !('command' in message))
    return undefined;
  return message.type === 'toolwire:window' ? message.command : undefined;
}

function nonceOf(message: unknown, type?: string): string | undefined {
  if (typeof message !== 'object' || message === null || !('nonce' in message)) return undefined;
  if (type !== undefined && !('type' in message && message.type === type)) return undefined;
  return typeof message.nonce === 'string' ? message.nonce : undefined;
}
