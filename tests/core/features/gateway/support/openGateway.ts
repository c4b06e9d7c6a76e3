import { onTestFinished } from 'vitest';

import {
  createGateway,
  type Gateway,
  type GatewayOptions,
} from '../../../../../src-core/features/gateway/createGateway.ts';
import type { FrameEntry, FrameNote } from '../../../../../src-core/features/frames/frameLog.ts';
import { resolveSettings } from '../../../../../src-core/features/gateway/resolveSettings.ts';
import type { GatewaySettings } from '../../../../../src-core/contract/gateway.ts';
import type { GatewayEvent } from '../../../../../src-core/features/gateway/types.ts';
import { createOpenAiCompatibleModel } from '../../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import { createListener } from '../../../../../src-core/server/createListener.ts';
import { systemClock } from '../../../../../src-core/base/clock.ts';
import {
  createToolRegistryManager,
  type ToolRegistryManager,
} from '../../../../../src-core/registry/toolRegistryManager.ts';
import type { ChatServerTurn } from '../../../../fakes/chatServerTurn.ts';
import {
  startScriptedChatServer,
  type ScriptedChatServer,
  type ScriptedChatServerOptions,
} from '../../../../fakes/scriptedChatServer.ts';
import { connectClient, type TestClient } from './testClient.ts';

export interface OpenGateway {
  gateway: Gateway;
  url: string;
  toolRegistryManager: ToolRegistryManager;
  /** The model's server. */
  server: ScriptedChatServer;
  /** Changes hold at once. */
  settings: GatewaySettings;
  frames: { id: string; frame: FrameEntry & FrameNote }[];
  events: GatewayEvent[];
  /** Connects a client; it has heard `connected` already, unless told. */
  connect: (options?: { origin?: string; greeted?: boolean }) => Promise<TestClient>;
  /** Resolves when `condition` holds, looking at each change of the gateway. */
  until: (condition: () => boolean) => Promise<void>;
}

export interface OpenGatewayOptions {
  turns?: ScriptedChatServerOptions['turns'] | readonly ChatServerTurn[];
  settings?: Partial<GatewaySettings>;
  /** Whether the model is asked for a stream; true unless told. */
  stream?: boolean;
  clock?: GatewayOptions['clock'];
  callPolicy?: GatewayOptions['callPolicy'];
  servesTestPage?: boolean;
  /** Errors that the test provokes. */
  mayFail?: boolean;
}

/** A real listener with a gateway on it and a model behind it, over HTTP; all of it is closed when the test ends. */
export async function openGateway(options: OpenGatewayOptions = {}): Promise<OpenGateway> {
  const { turns = [], stream = true, clock = systemClock, callPolicy } = options;
  const server = await startScriptedChatServer({ turns });
  const settings: GatewaySettings = {
    ...resolveSettings({ env: {}, settings: { baseUrl: server.baseUrl, model: 'stand-in' } }).values,
    ...options.settings,
  };
  const errors: unknown[] = [];
  const frames: OpenGateway['frames'] = [];
  const events: GatewayEvent[] = [];
  const waiting = new Set<() => void>();
  const listener = createListener({ port: 0, onError: (error) => errors.push(error) });
  const toolRegistryManager = createToolRegistryManager();
  const gateway = createGateway({
    listener,
    toolRegistryManager,
    clock,
    settings: () => settings,
    servesTestPage: options.servesTestPage ?? false,
    model: () => createOpenAiCompatibleModel({ baseUrl: settings.baseUrl, model: settings.model, stream, clock }),
    onFrame: (id, frame) => void frames.push({ id, frame: { ...frame, ...frame.note } }),
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    onChange: () => [...waiting].forEach((check) => check()),
    ...(callPolicy !== undefined && { callPolicy }),
  });
  const { port } = await listener.listen();
  const url = `ws://127.0.0.1:${port}`;
  onTestFinished(async () => {
    // With a clock that stands still a client that does not answer is left to the listener.
    void gateway.close();
    await listener.close();
    await server.close();
    if (errors.length > 0 && options.mayFail !== true) throw errors[0];
  });
  return {
    gateway,
    url,
    toolRegistryManager,
    server,
    settings,
    frames,
    events,
    async connect({ greeted = true, ...more } = {}) {
      const client = await connectClient(url, more);
      if (greeted) await client.connected();
      return client;
    },
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
