/** A window on a real workbench: its own data folder, a real device listener, and the contract over a message port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, disposePinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect } from 'vitest';
import { createApp, effectScope, type App, type Component } from 'vue';

import { createConnection, connectionKey, type Connection } from '../../renderer/client/connection.ts';
import type { OpenLine } from '../../renderer/client/line.ts';
import { createPortClient } from '../../src-core/rpc/client.ts';
import { portWire } from '../../src-core/rpc/portWire.ts';
import { createWorkbench, type Workbench, type WorkbenchOptions } from '../../src-core/workbench.ts';
import { giveLayout } from './layout.ts';

export interface TestWindow {
  workbench: Workbench;
  connection: Connection;
  /** What the engine reported as its own failures; a test that expects none checks that it is empty. */
  errors: unknown[];
  /** Cuts the line as a crashed engine would. The next one opens when the returned function is called. */
  cut(): () => void;
  /** Loads the page anew: its session storage stays, what was mounted is gone. */
  reload(): Promise<void>;
  /** Uses a store, or anything that injects the connection. What it listens to ends with the window. */
  use<T>(make: () => T): T;
  mount(component: Component, props?: Record<string, unknown>): VueWrapper;
  close(): Promise<void>;
}

/** Opens lines to a workbench over message ports, as Electron's window has them. */
export function portLines(workbench: Pick<Workbench, 'contract'>): { open: OpenLine; cut(): void } {
  let cut = (): void => undefined;
  return {
    cut: () => cut(),
    open: () => {
      const { port1, port2 } = new MessageChannel();
      const end = workbench.contract.serve(portWire(port1));
      // Node's port has the browser's methods; its types list them under other names.
      const port = port2 as unknown as MessagePort;
      const client = createPortClient(port);
      port.start();
      cut = () => {
        end();
        port.close();
      };
      return Promise.resolve({
        client,
        onClose: (listener) => port.addEventListener('close', listener, { once: true }),
        close: () => port.close(),
      });
    },
  };
}

/**
 * Opens a window before each test of the file and closes it afterwards. Elements have the given size in pixels, as if they
 * were laid out. A test fails if the engine reported an error of its own.
 *
 * @param use - Takes the window of the test that is about to run.
 */
export function windowForEachTest(use: (opened: TestWindow) => void, size?: { width: number; height: number }): void {
  let opened: TestWindow | undefined;
  let undoLayout: () => void;
  beforeEach(async () => {
    undoLayout = giveLayout(size);
    opened = await openWindow();
    use(opened);
  });
  afterEach(async () => {
    await opened?.close();
    undoLayout();
    expect(opened?.errors).toEqual([]);
  });
}

export async function openWindow(
  options: Partial<Pick<WorkbenchOptions, 'devicePort' | 'deviceHost' | 'openTables'>> = {},
): Promise<TestWindow> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-window-'));
  const errors: unknown[] = [];
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'browser',
    checkOutputs: true,
    ...options,
    onError: (error) => errors.push(error),
  });
  const lines = portLines(workbench);
  let engineIsThere = Promise.resolve(true);
  const connect = (): Connection =>
    createConnection({
      open: async (signal) => {
        await engineIsThere;
        return lines.open(signal);
      },
      delaysMs: [0],
    });
  let connection = connect();
  let pinia = createPinia();
  let app: App;
  function load(): Promise<unknown> {
    app = createApp({});
    app.use(pinia);
    app.provide(connectionKey, connection);
    setActivePinia(pinia);
    return connection.client.workbench.info();
  }
  const mounted: VueWrapper[] = [];
  let used = effectScope(true);
  function leave(): void {
    used.stop();
    used = effectScope(true);
    for (const wrapper of mounted.splice(0)) wrapper.unmount();
    connection.close();
  }
  await load();

  return {
    workbench,
    get connection() {
      return connection;
    },
    errors,
    async reload() {
      window.dispatchEvent(new Event('pagehide'));
      // A browser unmounts nothing, and closes the line.
      connection.close();
      leave();
      disposePinia(pinia);
      pinia = createPinia();
      connection = connect();
      await load();
    },
    cut() {
      const back = Promise.withResolvers<boolean>();
      engineIsThere = back.promise;
      lines.cut();
      return () => back.resolve(true);
    },
    use: (make) => app.runWithContext(() => used.run(make)!),
    mount(component, props = {}) {
      const wrapper = mount(component, {
        props,
        attachTo: document.body,
        global: { plugins: [pinia], provide: { [connectionKey as symbol]: connection } },
      });
      mounted.push(wrapper);
      return wrapper;
    },
    async close() {
      sessionStorage.clear();
      leave();
      await workbench.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
