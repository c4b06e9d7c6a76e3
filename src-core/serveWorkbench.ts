import { join } from 'node:path';

import { announceRunning, withdrawRunning } from './rpc/runningWorkbench.ts';
import { serveBrowser, type BrowserServer } from './rpc/serveBrowser.ts';
import { storageErrorOf } from './store/storageError.ts';
import { ListenError } from './server/listenError.ts';
import type { ErrorReporter } from './base/reportError.ts';
import { createWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

/** A port, and whether a free one may be used if it is taken. */
export interface PortChoice {
  port: number;
  mayMove: boolean;
}

/** A workbench that browsers and programs of this user can reach. */
export interface ServedWorkbench {
  readonly workbench: Workbench;
  /** `http://127.0.0.1:<port>` of the window. */
  readonly origin: string;
  /** A link that opens the window in one browser, once. */
  createLink(): string;
  /** The `file:` URL of a file that forwards a browser to a new link. @throws Error of the file system */
  createLinkFile(): string;
  /** No browser is let in without a new link. */
  signOut(): void;
  /** Ends the listeners, then the workbench. Safe to call twice. */
  close(): Promise<void>;
}

/** A workbench, and where its window is served. */
export interface ServeOptions extends Omit<WorkbenchOptions, 'devicePort' | 'devicePortMayMove' | 'onError'> {
  /** Folder of the built window. Without it, only programs are served. */
  rendererDir: string | undefined;
  /** Called if the desktop app asks for the data directory: closes the workbench. Without it, the app is refused. */
  onYield?: () => void;
  uiPort: PortChoice;
  devicePort: PortChoice;
  onError: ErrorReporter;
}

/**
 * Builds a workbench, serves its window on 127.0.0.1 and records its address in the data directory.
 * @throws ListenError if the window's port is taken and may not move; DataDirInUseError if another process owns the
 * data directory; Error if the directory cannot be used, or the window is not built.
 */
export async function serveWorkbench(options: ServeOptions): Promise<ServedWorkbench> {
  const { dataDir, rendererDir, uiPort, devicePort, onYield, onError } = options;
  const report = (error: unknown, where = 'the workbench'): void => onError(error, where);
  const place = { devicePort: devicePort.port, devicePortMayMove: devicePort.mayMove };
  const workbench = await createWorkbench({ ...options, ...place, onError: report });
  const windowKeysFile = join(dataDir, 'windows.json');
  let server: BrowserServer | undefined;
  try {
    const serve = (port: number): Promise<BrowserServer> =>
      serveBrowser({
        contract: workbench.contract,
        port,
        rendererDir,
        onYield,
        onError: (error) => report(storageErrorOf(error, windowKeysFile) ?? error),
        windowKeysFile,
        servePipe: workbench.features.hosts.servePipe,
      });
    server = await serve(uiPort.port).catch((error: unknown) => {
      if (!uiPort.mayMove || !(error instanceof ListenError) || error.code !== 'port-in-use') throw error;
      return serve(0);
    });
    if (server.sandboxOrigin !== undefined) workbench.features.servers.apps.serveAt(server.sandboxOrigin);
    const { origin, bearerToken, createLink, createLinkFile, signOut } = server;
    announceRunning(dataDir, { pid: process.pid, origin, bearerToken });
    const stop = async (): Promise<void> => {
      withdrawRunning(dataDir);
      await server?.close();
      await workbench.close();
    };
    let closing: Promise<void> | undefined;
    return { workbench, origin, createLink, createLinkFile, signOut, close: () => (closing ??= stop()) };
  } catch (error) {
    await server?.close();
    await workbench.close();
    throw error;
  }
}
