import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest';

import { createPortClient, type Client } from '../../../../../src-core/rpc/client.ts';
import { portWire } from '../../../../../src-core/rpc/portWire.ts';
import type { GatewayTestTool } from '../../../../../src-core/contract/types.ts';
import { settingDefinitions } from '../../../../../src-core/features/gateway/settings.ts';
import { createWorkbench, type Workbench } from '../../../../../src-core/workbench.ts';
import { startScriptedChatServer, type ScriptedChatServerOptions } from '../../../../fakes/scriptedChatServer.ts';

/** The data directory of the running test. */
export let dataDir: string;

/** Gives each test of a file a data directory of its own, and no settings from the environment. */
export function useDataDir(): void {
  beforeEach(() => {
    // What the machine that runs the tests has set is its own business.
    for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
    dataDir = mkdtempSync(join(tmpdir(), 'toolwire-gateway-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  });
  afterEach(() => void vi.unstubAllEnvs());
}

/** A workbench, and the contract as a window has it. */
export interface Bench {
  bench: Workbench;
  api: Client;
  /** Resolves when the condition holds, looking at each event of the workbench. */
  until: (condition: () => boolean | Promise<boolean>) => Promise<void>;
}

/** A workbench on the test's data directory. It is closed when the test ends. */
export async function open(): Promise<Bench> {
  const errors: unknown[] = [];
  const bench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'browser',
    onError: (error) => errors.push(error),
  });
  const { port1, port2 } = new MessageChannel();
  bench.contract.serve(portWire(port1));
  const api = createPortClient(port2);
  onTestFinished(async () => {
    port2.close();
    await bench.close();
    expect(errors).toEqual([]);
  });
  return {
    bench,
    api,
    async until(condition) {
      for await (const event of bench.services.workbench.events()) {
        if (event.topics.length > 0 && (await condition())) return;
      }
    },
  };
}

/** A workbench with the gateway on, on a free port. */
export async function on(
  turns?: ScriptedChatServerOptions['turns'],
): Promise<Bench & { url: string; modelUrl: string }> {
  const server = await startScriptedChatServer(turns === undefined ? {} : { turns });
  onTestFinished(() => server.close());
  const opened = await open();
  const { id } = await opened.api.models.save({
    kind: 'openai-compatible',
    label: 'Stand-in',
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'stand-in',
    stream: true,
    totalMs: 60_000,
    chunkMs: 30_000,
  });
  await opened.api.gateway.configure({ settings: { port: 0 }, modelId: id });
  const { urls } = await opened.api.gateway.setEnabled({ enabled: true });
  return { ...opened, url: urls[0]!, modelUrl: server.baseUrl };
}

/** A tool of the test client. */
export const testTool = (name: string, answer: GatewayTestTool['answer']): GatewayTestTool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object' },
  answer,
});
