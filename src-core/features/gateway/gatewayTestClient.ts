import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

import type { GatewayTestClient, GatewayTestTool } from '../../contract/gateway.ts';
import type { RegisteredTool } from './messages.ts';
import { GatewayConnectionError, GatewayRequestError, GatewayTimeoutError } from '../../gatewayClient/errors.ts';
import { GatewayClient } from '../../gatewayClient/gatewayClient.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';

/** A client of our own on the gateway: a real connection that says what the user makes it say. */
export interface OpenTestClient {
  readonly connectionId: string;
  view(): GatewayTestClient;
  send(text: string): void;
  setTools(tools: readonly GatewayTestTool[]): Promise<RegisteredTool[]>;
  close(): void;
}

/** Connects one. `connectionOf` returns the id of the connection that calls itself by this User-Agent. */
export async function openTestClient(options: {
  url: string;
  connectionOf: (userAgent: string) => string | undefined;
  onClose: () => void;
}): Promise<OpenTestClient> {
  const userAgent = `toolwire-test-client/${randomUUID()}`;
  const tools = new Map<string, GatewayTestTool>();
  let socket: WebSocket | undefined;
  const client = new GatewayClient({
    url: options.url,
    createSocket: (url) =>
      (socket = new WebSocket(url, {
        perMessageDeflate: false,
        allowSynchronousEvents: false,
        headers: { 'user-agent': userAgent },
      })),
    onState: (state) => {
      if (state === 'closed') options.onClose();
    },
  });
  await client.connect().catch(tellPerson);
  const connectionId = options.connectionOf(userAgent) ?? '';

  /** What the tool of this name is to answer now. */
  function answer(name: string, signal: AbortSignal): unknown {
    const { answer: canned } = tools.get(name) ?? { answer: { kind: 'silent' as const } };
    if (canned.kind === 'result') return canned.value;
    if (canned.kind === 'error') throw new Error(canned.message);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }

  return {
    connectionId,
    view: () => ({ connectionId, tools: [...tools.values()] }),
    send(text) {
      if (socket?.readyState !== WebSocket.OPEN) throw new RequestError('The test client is not connected any more.');
      socket.send(text);
    },
    async setTools(wanted) {
      const fresh = wanted.filter(({ name }) => !tools.has(name));
      const registered =
        fresh.length === 0 ? [] : await client.registerTools(fresh.map((tool) => withHandler(tool))).catch(tellPerson);
      const isThere = (name: string): boolean =>
        tools.has(name) || registered.some((each) => each.name === name && each.status === 'registered');
      for (const tool of wanted) if (isThere(tool.name)) tools.set(tool.name, tool);
      return registered;
    },
    close: () => client.close(),
  };

  function withHandler({ name, description, parameters }: GatewayTestTool) {
    const handler = (_: object, { signal }: { signal: AbortSignal }): unknown => answer(name, signal);
    return { name, description, parameters, handler };
  }
}

/** What the gateway refuses, or does not answer, is for the user who asked. */
function tellPerson(error: unknown): never {
  const isGateways = [GatewayConnectionError, GatewayRequestError, GatewayTimeoutError].some(
    (of) => error instanceof of,
  );
  throw isGateways ? new RequestError(describeThrown(error), { cause: error }) : error;
}
