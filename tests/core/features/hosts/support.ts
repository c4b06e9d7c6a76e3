import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { systemClock, type Clock } from '../../../../src-core/base/clock.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createExportedNames } from '../../../../src-core/features/hosts/exportedNames.ts';
import { createExportedTools } from '../../../../src-core/features/hosts/exportedTools.ts';
import type { OfferedPrompts, OfferedResources, ToolScope } from '../../../../src-core/features/hosts/offered.ts';
import { createMcpHttpEndpoint } from '../../../../src-core/features/hosts/httpEndpoint.ts';
import type { HostOffer } from '../../../../src-core/features/hosts/hostServer.ts';
import { createKeptBlocks } from '../../../../src-core/features/hosts/keptBlocks.ts';
import { routeMcp } from '../../../../src-core/features/hosts/mcpRoute.ts';
import { createRegistryOffer, type ConfirmHostCall } from '../../../../src-core/features/hosts/registryOffer.ts';
import {
  createToolRegistryManager,
  type ToolRegistryManager,
} from '../../../../src-core/registry/toolRegistryManager.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../../../src-core/registry/types.ts';
import type { MethodMetadata, ToolSource } from '../../../../src-core/base/toolTypes.ts';
import { createListener } from '../../../../src-core/server/createListener.ts';

export function memoryStore() {
  const values = new Map<string, JsonValue>();
  return {
    get: (key: string) => values.get(key),
    // As a database keeps it: a copy.
    set: (key: string, value: JsonValue) => void values.set(key, JSON.parse(JSON.stringify(value)) as JsonValue),
  };
}

/** A tool of a test: its schema allows every argument. */
export interface TestTool extends Partial<MethodMetadata> {
  run: (args: Record<string, JsonValue>, options: InvokeOptions) => ToolOutput | Promise<ToolOutput>;
}

/** A registry of tools that run in the test. */
export function registryOf(id: string, tools: Record<string, TestTool>, source?: Partial<ToolSource>): ToolRegistry {
  const methods = Object.entries(tools).map(([name, { run: _run, ...rest }]): MethodMetadata => ({
    name,
    description: `The tool ${name}`,
    agentCallable: true,
    inputSchema: { type: 'object', properties: {} },
    ...rest,
  }));
  return {
    id,
    name: id,
    source: { kind: 'builtin', id, label: id, ...source },
    getMetadata: () => ({ methods }),
    async invoke(name, args, options) {
      const tool = tools[name];
      if (tool === undefined) throw new Error(`No tool ${name}`);
      return tool.run(args, options);
    },
  };
}

/** Serves the tools of a manager at `/mcp` of a real listener, without a token. The header `x-host` says who calls. */
export async function serveTools(
  options: {
    manager?: ToolRegistryManager;
    scope?: ToolScope;
    confirm?: ConfirmHostCall;
    clock?: Clock;
    dangerousTools?: string[];
    /** Served beside the tools, in place of the resources of large results. */
    resources?: OfferedResources;
    prompts?: OfferedPrompts;
    complete?: NonNullable<HostOffer['complete']>;
    onOtherChange?: HostOffer['onChange'];
  } = {},
) {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const clock = options.clock ?? systemClock;
  const manager = options.manager ?? createToolRegistryManager({ onError });
  const tools = createExportedTools({
    consumer: 'host',
    toolRegistryManager: manager,
    names: createExportedNames({ store: memoryStore(), onError }),
    policy: () => ({ config: defaultToolCallConfig, dangerousTools: options.dangerousTools ?? [] }),
    clock,
  });
  const { keep, resources } = createKeptBlocks();
  const offer = createRegistryOffer({
    tools,
    scope: options.scope ?? 'all',
    execution: () => ({ toolRegistryManager: manager, dangerousTools: options.dangerousTools }),
    ...(options.confirm && { confirm: options.confirm }),
    keep,
    resources: options.resources ?? resources,
    ...(options.prompts && { prompts: options.prompts }),
    ...(options.complete && { complete: options.complete }),
    ...(options.onOtherChange && { onOtherChange: options.onOtherChange }),
    clock,
  });
  const endpoint = createMcpHttpEndpoint({ offer, clock, onError });
  const listener = createListener({ port: 0, onError });
  routeMcp({
    listener,
    paths: ['/mcp'],
    hostOf: ({ headers }) => ({ id: String(headers['x-host'] ?? 'test'), name: 'Test host' }),
    handle: endpoint.handle,
  });
  const { port } = await listener.listen();
  onTestFinished(async () => {
    await endpoint.close();
    tools.close();
    await listener.close();
  });
  return { manager, tools, endpoint, errors, url: new URL(`http://127.0.0.1:${port}/mcp`) };
}

/** A client of SDK v2; `modern` speaks 2026-07-28. */
export async function connectV2(url: URL, era: 'legacy' | 'modern', options: ClientOptions = {}) {
  const mode = era === 'legacy' ? 'legacy' : 'auto';
  const client = new Client({ name: `v2-${era}`, version: '2.4.0' }, { versionNegotiation: { mode }, ...options });
  onTestFinished(() => client.close());
  return { client, connect: () => client.connect(new StreamableHTTPClientTransport(url)) };
}

/** A client of SDK v1. */
export async function connectV1(url: URL): Promise<ClientV1> {
  const client = new ClientV1({ name: 'v1', version: '1.32.2' });
  await client.connect(new HttpV1(url));
  onTestFinished(() => client.close());
  return client;
}
