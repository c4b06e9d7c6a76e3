import { expect, onTestFinished, vi } from 'vitest';

import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { createExportedNames } from '../../../../src-core/features/hosts/exportedNames.ts';
import type { ChosenTools } from '../../../../src-core/contract/hosts.ts';
import { chooseTools } from '../../../../src-core/features/hosts/chosenTools.ts';
import { createExportedTools } from '../../../../src-core/features/hosts/exportedTools.ts';
import { createMcpFrames } from '../../../../src-core/features/frames/mcp/mcpFrames.ts';
import type { NewFrame } from '../../../../src-core/features/frames/frameLog.ts';
import type { HostLog } from '../../../../src-core/features/hosts/hostFrames.ts';
import { createRegistryOffer } from '../../../../src-core/features/hosts/registryOffer.ts';
import { openEndpoint } from '../../../../src-core/features/endpoint/service.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import { startEndpointBroker } from '../../../fakes/endpointBroker.ts';
import { memoryStore, registryOf, type TestTool } from '../hosts/support.ts';
import { HandClock } from '../../realtime/beds.ts';

export const all = { all: true, sources: [], tools: [] };

export function said(text: string) {
  return { value: text, content: [{ type: 'text' as const, text }] };
}

function memorySecrets() {
  const values = new Map<string, string>();
  return {
    values,
    storage: () => Promise.resolve('file' as const),
    get: (name: string) => Promise.resolve(values.get(name)),
    has: (name: string) => Promise.resolve(values.has(name)),
    set: (name: string, value: string) => Promise.resolve(void values.set(name, value)),
    delete: (name: string) => Promise.resolve(void values.delete(name)),
  };
}

/** A broker, and an endpoint service that offers these tools to it. */
export async function openEndpoints(
  tools: Record<string, TestTool> = { echo: { run: (args) => said(JSON.stringify(args)) } },
) {
  const broker = await startEndpointBroker();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const clock = new HandClock();
  const manager = createToolRegistryManager({ onError });
  manager.register(registryOf('box', tools));
  const exported = createExportedTools({
    consumer: 'device',
    toolRegistryManager: manager,
    names: createExportedNames({ store: memoryStore(), onError }),
    policy: () => ({ config: defaultToolCallConfig, dangerousTools: [] }),
    clock,
  });
  const store = memoryStore();
  const secrets = memorySecrets();
  const recorded: NewFrame[] = [];
  const log: HostLog = {
    of: (connection) =>
      createMcpFrames({
        frames: { add: (frame) => recorded.push(frame) },
        source: 'host',
        connection,
        mask: (text) => text,
        clock,
      }),
    forget: (connection) => {
      const kept = recorded.filter((frame) => frame.connection !== connection);
      recorded.splice(0, Infinity, ...kept);
      return Promise.resolve();
    },
  };
  const options = {
    store: { settings: store },
    secrets,
    events: createEventBus(),
    hosts: {
      log,
      everyTool: () => exported.list('all'),
      offerChosen: (chosen: () => ChosenTools) =>
        createRegistryOffer({
          tools: chooseTools(exported, chosen),
          scope: 'all',
          execution: () => ({ toolRegistryManager: manager }),
          clock,
        }),
    },
    clock,
    onError,
    connects: true,
  };
  const { service, close } = openEndpoint(options);
  onTestFinished(async () => {
    close();
    exported.close();
    await broker.close();
  });
  const state = (): string | undefined => service.list()[0]?.state;
  const become = (wanted: string): Promise<void> => vi.waitFor(() => expect(state()).toBe(wanted));
  return { recorded, broker, service, close, clock, manager, store, secrets, errors, options, state, become };
}
