import { requestYield } from '../src-core/cli/requestLink.ts';
import { portWire } from '../src-core/rpc/portWire.ts';
import { DataDirInUseError, joinOrOpen } from '../src-core/rpc/runningWorkbench.ts';
import type { WorkbenchEvent, WorkbenchTopic } from '../src-core/contract/types.ts';
import type { ToolwireCommand } from '../src-core/features/hosts/connectTexts.ts';
import { defaultPorts } from '../src-core/defaultPorts.ts';
import { serveWorkbench, type ServedWorkbench } from '../src-core/serveWorkbench.ts';
import type { SecretStore } from '../src-core/store/secretStore.ts';
import type { ErrorReporter } from '../src-core/base/reportError.ts';
import { openFile } from './openFile.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';

/**
 * Opens the workbench of the desktop app. Windows use it through a message port. Programs of the same user (`toolwire
 * tools`, `toolwire call`) connect to the address in `workbench.json` of the data directory. Takes the data directory over
 * from `toolwire mcp`. Waits up to 30 s for another command of the terminal that uses it.
 * @throws DataDirInUseError if another workbench serves the data directory and stays; the reason of `signal` if that aborts.
 */
export async function openWorkbench(options: {
  dataDir: string;
  rendererDir: string;
  /** The system's safe storage. */
  secrets?: SecretStore;
  /** How this machine runs `toolwire`; by default, by that name. */
  command?: ToolwireCommand | undefined;
  onError: ErrorReporter;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Called once if the wait takes longer than 1.5 s. */
  onWait?: (error: DataDirInUseError) => void;
}): Promise<ShellWorkbench> {
  const { dataDir, rendererDir, secrets, command, signal, onWait, onError } = options;
  const { workbench, close } = await takeDataDir({
    dataDir,
    signal,
    ...(onWait && { onWait }),
    open: () =>
      serveWorkbench({
        dataDir,
        rendererDir,
        ...(secrets && { secrets }),
        command,
        onError,
        shell: 'electron',
        uiPort: { port: 0, mayMove: false },
        devicePort: { port: defaultPorts.devices, mayMove: true },
      }),
  });
  const { events } = workbench.services.workbench;
  return {
    servePort: (port) => workbench.contract.serve(portWire(port)),
    settings: workbench.services.settings,
    onSettings: (listener) => void follow(events(), { topic: 'settings', listener, onError }),
    onCalls: (listener) => void follow(events(), { topic: 'calls', listener, onError }),
    live: workbench.live,
    checkConnections: workbench.checkConnections,
    openFile: (path) => openFile(path, workbench.services),
    show: workbench.services.workbench.putOpening,
    close,
  };
}

/** Opens a workbench. Those that run are asked to leave: each host at `toolwire mcp` opens one if it loses that of another. */
async function takeDataDir(options: Parameters<typeof joinOrOpen<ServedWorkbench>>[0]): Promise<ServedWorkbench> {
  let { onWait } = options;
  const waitOnce: typeof onWait = (error) => {
    onWait?.(error);
    onWait = undefined;
  };
  for (;;) {
    const { running, opened } = await joinOrOpen({ ...options, onWait: waitOnce });
    if (opened) return opened;
    running.close();
    if (!(await requestYield(running.record))) throw new DataDirInUseError(options.dataDir);
  }
}

/** Calls the listener once soon, and after each change of the topic, until the workbench closes. Reports its errors. */
async function follow(
  events: AsyncIterable<WorkbenchEvent>,
  options: { topic: WorkbenchTopic; listener: () => void; onError: ErrorReporter },
): Promise<void> {
  for await (const event of events) {
    if (!event.topics.includes(options.topic)) continue;
    try {
      options.listener();
    } catch (error) {
      options.onError(error, 'the desktop shell');
    }
  }
}
