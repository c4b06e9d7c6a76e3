import { portWire } from '../src-core/api/portWire.ts';
import { DataDirInUseError, joinOrOpen } from '../src-core/api/runningWorkbench.ts';
import type { WorkbenchTopic } from '../src-core/api/types.ts';
import { defaultPorts } from '../src-core/defaultPorts.ts';
import { serveWorkbench } from '../src-core/serveWorkbench.ts';
import type { SecretStore } from '../src-core/store/secretStore.ts';
import type { TopicHub } from '../src-core/workbench/topicHub.ts';
import type { ErrorReporter } from '../src-core/tools/reportError.ts';
import { openFile } from './openFile.ts';
import type { ShellWorkbench } from './shell.ts';

/**
 * The workbench of the desktop app. The window has its port; programs of the same user (`toolwire tools`, `toolwire
 * call`) reach the same workbench, with its devices, by the address that is kept in the data directory.
 * @throws DataDirInUseError naming the process, if another workbench serves the directory.
 */
export async function openWorkbench(options: {
  dataDir: string;
  rendererDir: string;
  /** The system's safe storage. */
  secrets?: SecretStore;
  onError: ErrorReporter;
}): Promise<ShellWorkbench> {
  const { running, opened } = await joinOrOpen({
    dataDir: options.dataDir,
    open: () =>
      serveWorkbench({
        ...options,
        shell: 'electron',
        uiPort: { port: 0, mayMove: false },
        devicePort: { port: defaultPorts.devices, mayMove: true },
      }),
  });
  if (running) {
    running.close();
    throw new DataDirInUseError(options.dataDir);
  }
  const { workbench, close } = opened;
  return {
    servePort: (port) => workbench.contract.serve(portWire(port)),
    settings: workbench.services.settings,
    onSettings: (listener) => void follow(workbench.services.topics, 'settings', listener),
    onCalls: (listener) => void follow(workbench.services.topics, 'calls', listener),
    live: workbench.live,
    checkConnections: workbench.checkConnections,
    openFile: (path) => openFile(path, workbench.services),
    show: workbench.services.openings.put,
    close,
  };
}

/** Calls the listener once soon, and after each change of the topic, until the workbench closes. */
async function follow(topics: TopicHub, topic: WorkbenchTopic, listener: () => void): Promise<void> {
  for await (const event of topics.subscribe()) if (event.topics.includes(topic)) listener();
}
