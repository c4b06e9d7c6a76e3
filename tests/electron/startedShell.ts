/** The desktop shell on the one fake of Electron and a stand-in of the engine. */
import { onTestFinished } from 'vitest';

import { startShell, type ShellOptions } from '../../electron/shell.ts';
import type { ShellWorkbench } from '../../electron/shellWorkbench.ts';
import type { PortLike } from '../../src-core/rpc/portWire.ts';
import type { Opening } from '../../src-core/contract/types.ts';
import type { JsonValue } from '../../src-core/base/json.ts';
import type { LiveWork } from '../../src-core/contract/types.ts';
import { createManualClock, type ManualClock } from '../core/features/devices/support/manualClock.ts';
import { FakeElectron, type FakeWindow } from './fakeElectron.ts';
import type { FakeEnvironment } from './fakeEnvironments.ts';
import { testFolder } from './testFiles.ts';

/** The engine as the shell knows it, without one. */
export class FakeWorkbench implements ShellWorkbench {
  ui: Record<string, JsonValue> = {};
  theme: 'system' | 'light' | 'dark' = 'system';
  locale: 'system' | 'en' | 'zh' = 'system';
  readonly shown: Opening[] = [];
  ports: { port: PortLike; open: boolean }[] = [];
  closes = 0;
  readonly gate = Promise.withResolvers<undefined>();

  servePort(port: PortLike): () => void {
    const entry = { port, open: true };
    this.ports.push(entry);
    return () => {
      entry.open = false;
      port.close();
    };
  }
  settings = {
    get: () => ({ theme: this.theme, locale: this.locale, ui: this.ui }),
    set: (change: { ui: Record<string, JsonValue> }) => {
      if (this.closes > 0) return Promise.reject(new Error('the store is closed'));
      Object.assign(this.ui, change.ui);
      return Promise.resolve();
    },
  };
  changed: () => void = () => undefined;
  onSettings = (listener: () => void): void => void (this.changed = listener);
  liveWork: LiveWork = { devices: 0, series: 0, calls: 0 };
  live = (): LiveWork => ({ ...this.liveWork });
  callsChanged: () => void = () => undefined;
  onCalls = (listener: () => void): void => void (this.callsChanged = listener);
  checks = 0;
  checkConnections = (): void => void this.checks++;
  openFile(path: string): Promise<Opening> {
    if (!path.endsWith('.jsonl')) return Promise.reject(new Error('It is no capture.'));
    return Promise.resolve({ kind: 'capture', captureId: path });
  }
  show = (opening: Opening): void => void this.shown.push(opening);
  async close(): Promise<void> {
    this.closes++;
    await this.gate.promise;
  }
}

/** A shell that has started on the fakes. The fake's environment decides the platform. */
export async function start(
  change: {
    workbench?: FakeWorkbench;
    electron?: FakeElectron;
    environment?: FakeEnvironment;
    fails?: Error;
    argv?: string[];
    env?: Record<string, string>;
    dataDir?: string;
    createWorkbench?: ShellOptions['createWorkbench'];
    loadUpdater?: ShellOptions['loadUpdater'];
  } = {},
): Promise<{
  electron: FakeElectron;
  workbench: FakeWorkbench;
  window: FakeWindow;
  clock: ManualClock;
  errors: unknown[];
  dataDir: string;
  /** A signal asks the process to end. */
  signal: () => void;
}> {
  const { workbench = new FakeWorkbench(), environment, fails, dataDir = testFolder() } = change;
  const { electron = new FakeElectron(environment && { environment }) } = change;
  const errors: unknown[] = [];
  const clock = createManualClock();
  let signal = (): void => undefined;
  await startShell({
    electron,
    dataDir,
    createWorkbench: change.createWorkbench ?? (() => (fails ? Promise.reject(fails) : Promise.resolve(workbench))),
    rendererDir: '/nowhere/renderer',
    preloadFile: '/nowhere/preload.cjs',
    iconFile: '/nowhere/icon.png',
    platform: electron.traits.platform,
    env: change.env ?? {},
    argv: change.argv ?? ['/electron', '/project'],
    cwd: '/home/me',
    clock,
    onSignal: (listener) => (signal = listener),
    loadUpdater: change.loadUpdater,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => workbench.ports.forEach(({ port }) => port.close()));
  return { electron, workbench, window: electron.windows[0]!, clock, errors, dataDir, signal: () => signal() };
}
