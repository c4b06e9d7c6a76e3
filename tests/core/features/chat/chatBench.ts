import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import type { ChatAssistantEntry, ChatCall, ChatEntry, ChatOptionsChange } from '../../../../src-core/contract/chat.ts';
import type { CallPolicy } from '../../../../src-core/features/chat/environment.ts';
import { createToolDiscoveryService } from '../../../../src-core/engine/discovery.ts';
import type { ChatModel } from '../../../../src-core/features/models/chatModel.ts';
import { createJsonProtocol } from '../../../../src-core/protocols/json/jsonProtocol.ts';
import { createProtocolRegistry } from '../../../../src-core/protocols/registry.ts';
import { createVcpProtocol } from '../../../../src-core/protocols/vcp/vcpProtocol.ts';
import { openStore } from '../../../helpers/testStore.ts';
import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { systemClock } from '../../../../src-core/base/clock.ts';
import { RequestError } from '../../../../src-core/base/requestError.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { openChat } from '../../../../src-core/features/chat/service.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import { CallTracker } from '../../../../src-core/features/calls/callTracker.ts';
import { makeTool } from '../../registry/testTool.ts';
import type { TestMethod } from '../../registry/testTool.ts';

export type ChatBench = ReturnType<typeof openChatBench>;

export interface ChatBenchOptions {
  models?: Record<string, ChatModel>;
  /** Methods of the one tool, `lab`. */
  methods?: TestMethod[];
  policy?: Partial<CallPolicy>;
  path?: string;
}

/** A place for a database that goes with the test. */
export function databasePath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-chat-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'toolwire.db');
}

/** Chats over a real store, a real executor and a real registry; ids are 1, 2 … and so is the time. */
export function openChatBench({
  models = {},
  methods = [],
  policy = {},
  path = databasePath(),
}: ChatBenchOptions = {}) {
  const store = openStore({ path });
  const toolRegistryManager = createToolRegistryManager();
  toolRegistryManager.register(makeTool('lab', methods));
  const protocols = createProtocolRegistry([createVcpProtocol(), createJsonProtocol()]);
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());
  const errors: unknown[] = [];
  const tracker = new CallTracker({
    toolRegistryManager,
    history: store.history,
    clock: systemClock,
    announce: tell,
    onError: (error) => errors.push(error),
  });
  const currentPolicy: CallPolicy = {
    config: { ...defaultToolCallConfig },
    toolTimeouts: {},
    dangerousTools: [],
    ...policy,
  };
  let ids = store.chats.list().reduce((sum, { revision }) => sum + revision * 100, 0);
  let time = 0;
  const { service, close: closeChats } = openChat({
    events: createEventBus().on('changed', tell),
    trash: store,
    toolRegistryManager,
    tools: { protocols, discovery },
    models: {
      modelOf(id = 'test') {
        const model = Object.hasOwn(models, id) ? models[id] : undefined;
        if (model === undefined) throw new RequestError(`There is no model "${id}".`, { field: 'modelId' });
        return model;
      },
      defaultId: () => 'test',
      protocolOf: () => undefined,
    },
    calls: {
      policy: () => ({ ...currentPolicy, dangerousTools: [...currentPolicy.dangerousTools] }),
      follow: (...given) => tracker.follow(...given),
    },
    onError: (error) => errors.push(error),
    newId: () => `id${(ids += 1)}`,
    now: () => (time += 1),
  });

  /** Resolves when it holds, looking after each change. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const changed = Promise.withResolvers<undefined>();
      const heard = (): void => changed.resolve(undefined);
      listeners.add(heard);
      await changed.promise;
      listeners.delete(heard);
      // Not in the middle of what makes the change.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const entries = (sessionId: string): ChatEntry[] => service.get({ sessionId, limit: 1_000 }).entries;
  const steps = (sessionId: string): ChatAssistantEntry[] =>
    entries(sessionId).filter((entry) => entry.role === 'assistant');
  const calls = (sessionId: string): ChatCall[] => steps(sessionId).flatMap((step) => step.calls);
  const idle = (sessionId: string): Promise<void> => until(() => !service.get({ sessionId, limit: 1 }).session.running);

  let open = true;
  async function close(): Promise<void> {
    if (!open) return;
    open = false;
    await closeChats();
    discovery.close();
    await store.close();
  }
  onTestFinished(close);

  return {
    service,
    store,
    tracker,
    toolRegistryManager,
    policy: currentPolicy,
    errors,
    path,
    until,
    entries,
    steps,
    calls,
    idle,
    close,
    closeChats,
    /** A chat with these options. */
    chat: (options: ChatOptionsChange = {}): string => service.create({ options }).id,
    /** Sends, and resolves when the turn has ended. */
    async turn(sessionId: string, text = 'Hello'): Promise<ChatAssistantEntry[]> {
      service.send({ sessionId, text });
      await idle(sessionId);
      return steps(sessionId);
    },
    /** Resolves when this many calls wait for a person. */
    waiting: (sessionId: string, count = 1): Promise<void> =>
      until(() => calls(sessionId).filter(({ state }) => state === 'waiting').length === count),
  };
}
