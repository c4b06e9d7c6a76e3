import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';

import { defaultToolCallConfig, type ToolCallConfig } from '../../base/calls.ts';
import { systemClock } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { reportError, type ErrorReporter } from '../../base/reportError.ts';
import { createLineReader } from '../../mcp/createLineReader.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { bearerOf, isSecret } from '../../server/bearer.ts';
import { createListener } from '../../server/createListener.ts';
import { confirmHostCall } from './confirmHostCall.ts';
import { createExportedNames } from './exportedNames.ts';
import { createExportedTools } from './exportedTools.ts';
import type { OfferChange, OfferedPrompts, OfferedResources, ToolScope } from './offered.ts';
import type { HostOffer } from './hostServer.ts';
import { createMcpHttpEndpoint } from './httpEndpoint.ts';
import { createKeptBlocks, joinResources } from './keptBlocks.ts';
import { maxMcpBodyBytes, routeMcp } from './mcpRoute.ts';
import { servePipe } from './pipe.ts';
import { createRegistryOffer } from './registryOffer.ts';

const shortestToken = 16;

/** What hosts are offered. */
export interface ToolsOffer {
  /** Its tools are offered, as far as they are agent-callable and offered to hosts. */
  toolRegistryManager: ToolRegistryManager;
  /** The tools that are offered, `all` by default. Only the names of all tools have the alias of their source in front. */
  scope?: ToolScope;
  resources?: OfferedResources;
  prompts?: OfferedPrompts;
  /** Returns values for arguments of prompts and templates. */
  complete?: (params: JsonObject) => Promise<string[]> | string[];
  /** Calls the listener with changes of anything but tools. Returns the function that unsubscribes. */
  onOtherChange?: (listener: (change: OfferChange) => void) => () => void;
  instructions?: () => string | undefined;
  config?: Partial<ToolCallConfig>;
  /** Qualified names, `*` for any characters: calls of these ask the host's user, and fail if the host cannot ask. */
  dangerousTools?: readonly string[];
  /** Keeps the names of the tools between runs. By default, they are kept in memory. */
  store?: { get(key: string): JsonValue | undefined; set(key: string, value: JsonValue): void };
  onError?: ErrorReporter;
}

/** Serves tools at `/mcp` on 127.0.0.1, in both eras of the protocol. Rejects if the port is in use. */
export async function serveToolsOverHttp(
  options: ToolsOffer & {
    /** The port, by default any free one. */
    port?: number;
    /** What hosts send as `Authorization: Bearer …`: a random one by default, `false` for none. */
    token?: string | false;
  },
): Promise<{
  url: string;
  /** The token. Undefined if `token` was false. */
  token: string | undefined;
  close(): Promise<void>;
}> {
  const { port = 0, token = randomBytes(32).toString('base64url'), onError = reportError } = options;
  if (token !== false && token.length < shortestToken)
    throw new TypeError(`token: It has fewer than ${shortestToken} characters. Leave it out for a random one.`);
  const { offer, close } = openOffer(options);
  const report = (error: unknown): void => onError(error, 'the MCP server');
  const endpoint = createMcpHttpEndpoint({ offer, clock: systemClock, onError });
  const listener = createListener({ port, onError: report });
  routeMcp({
    listener,
    paths: ['/mcp'],
    hostOf(request) {
      const given = bearerOf(request);
      const isKnown = token === false || (given !== undefined && isSecret(given, token));
      return isKnown ? { id: 'http', name: 'MCP host' } : undefined;
    },
    handle: endpoint.handle,
  });
  try {
    const bound = await listener.listen();
    return {
      url: `http://127.0.0.1:${bound.port}/mcp`,
      token: token === false ? undefined : token,
      async close() {
        await endpoint.close();
        close();
        await listener.close();
      },
    };
  } catch (error) {
    await endpoint.close();
    close();
    throw error;
  }
}

/** Serves tools to the host that started this program, until `input` ends. Nothing else may write to `output`. */
export async function serveToolsOverStdio(
  options: ToolsOffer & {
    input?: Readable;
    output?: Writable;
    /** Ends the connection sooner. */
    signal?: AbortSignal;
  },
): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal, onError = reportError } = options;
  const { offer, close } = openOffer(options);
  const ended = Promise.withResolvers<undefined>();
  let end: (() => void) | undefined;
  const endPipe = servePipe({
    pipe: {
      send: (text) => void output.write(`${text}\n`),
      open(onText, onClose) {
        end = onClose;
        const lines = createLineReader({
          maxBytes: maxMcpBodyBytes,
          onLine: onText,
          // What is left of it is refused as a message that is not JSON.
          onTooLong: onText,
        });
        input.on('data', (chunk: Buffer | string) => lines.push(Buffer.from(chunk)));
        input.once('end', () => {
          lines.end();
          onClose();
        });
        input.once('error', onClose);
        // The host has closed its end.
        output.once('error', onClose);
      },
      close: () => undefined,
    },
    offer,
    caller: { id: 'stdio', name: 'MCP host' },
    clock: systemClock,
    onClose: () => ended.resolve(undefined),
    onError,
  });
  const abort = (): void => (end === undefined ? endPipe() : end());
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    await ended.promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    close();
    input.pause();
  }
}

function openOffer(options: ToolsOffer): { offer: HostOffer; close: () => void } {
  const {
    toolRegistryManager,
    scope = 'all',
    config,
    dangerousTools = [],
    onError = reportError,
    ...besides
  } = options;
  const tools = createExportedTools({
    consumer: 'host',
    toolRegistryManager,
    names: createExportedNames({ store: options.store ?? new Map<string, JsonValue>(), onError }),
    policy: () => ({ config: { ...defaultToolCallConfig, ...config }, dangerousTools }),
    clock: systemClock,
  });
  const { keep, resources } = createKeptBlocks();
  const offer = createRegistryOffer({
    ...besides,
    resources: besides.resources === undefined ? resources : joinResources(besides.resources, resources),
    tools,
    scope,
    execution: () => ({ toolRegistryManager, config, dangerousTools, onError }),
    confirm: (pending, asked) => confirmHostCall({ pending, ...asked, askWindow: undefined }),
    keep,
    clock: systemClock,
  });
  return { offer, close: () => tools.close() };
}
