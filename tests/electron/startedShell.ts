/** The desktop shell on the one fake of Electron and a stand-in of the engine. */
import { onTestFinished } from 'vitest';

import { startShell, type ShellOptions, type ShellWorkbench } from '../../electron/shell.ts';
import type { PortLike } from '../../src-core/api/portWire.ts';
import type { Opening } from '../../src-core/api/types.ts';
import type { JsonValue } from '../../src-core/tools/json.ts';
import { FakeElectron, type FakeWindow } from './fakeElectron.ts';

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

/** A shell that has started on the fakes. */
export async function start(
  change: {
    workbench?: FakeWorkbench;
    platform?: NodeJS.Platform;
    electron?: FakeElectron;
    fails?: Error;
    argv?: string[];
    loadUpdater?: ShellOptions['loadUpdater'];
  } = {},
): Promise<{ electron: FakeElectron; workbench: FakeWorkbench; window: FakeWindow; errors: unknown[] }> {
  const { workbench = new FakeWorkbench(), platform = 'linux', electron = new FakeElectron(), fails } = change;
  const errors: unknown[] = [];
  await startShell({
    electron,
    createWorkbench: () => (fails ? Promise.reject(fails) : Promise.resolve(workbench)),
    rendererDir: '/nowhere/renderer',
    preloadFile: '/nowhere/preload.cjs',
    platform,
    argv: change.argv ?? ['/electron', '/project'],
    cwd: '/home/me',
    loadUpdater: change.loadUpdater,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => workbench.ports.forEach(({ port }) => port.close()));
  return { electron, workbench, window: electron.windows[0]!, errors };
}
