import { isJsonObject } from '../../../../src-core/base/json.ts';
import type { AppContent, JsonObject, JsonValue } from '../../../../src-core/contract/types.ts';

/** Revision of the protocol between an MCP App and its host. */
const revision = '2026-01-26';
/** UTF-16 units of a message; the sandbox passes on no longer one. */
const maxLength = 4_000_000;
/** Requests of an App that run at once. */
const maxRunning = 16;
/** Log messages of an App: at once, and a second. Further ones are dropped. */
const logBurst = 50;
const logsPerSecond = 5;
/** ms that an App has to save its state before it is closed. */
const teardownMs = 500;
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** A log message of an App. */
export interface AppLog {
  level: (typeof logLevels)[number];
  logger?: string;
  data: JsonValue;
}

/** What an App asks of the window. A rejection is passed on to the App with its message. */
export interface AppHost {
  callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  readResource(uri: string, signal: AbortSignal): Promise<JsonObject>;
  /** Asks the user. Resolves to whether the page was opened. */
  openLink(url: URL, signal: AbortSignal): Promise<boolean>;
  /** Asks the user. Resolves to whether the text was taken. Absent if the App is not in a chat. */
  takeMessage?: ((text: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  log(message: AppLog): void;
  /** px that the App would like to have. */
  resize(size: { width?: number; height?: number }): void;
  /** It has started. */
  started(): void;
  /** It asks to be closed. */
  ended(): void;
  /** The sandbox has stopped it, for a reason such as `flood`. */
  stopped(reason: string): void;
  /** The sandbox is ready for its page. */
  sandboxReady(): void;
}

/** The window's end of the connection to an App. */
export interface AppBridge {
  /** Takes a message of the sandbox, which is untrusted. */
  receive(text: unknown): void;
  /** Tells the App of changes of the context: theme, language, size. */
  contextChanged(changes: JsonObject): void;
  /** Has the App end. Resolves when it has, and at the latest after 500 ms. */
  teardown(): Promise<void>;
  /** Cancels what the App has asked for. */
  cancelAll(): void;
  /** Cancels everything, and takes no further message. */
  close(): void;
}

interface BridgeOptions {
  app: Pick<AppContent, 'csp' | 'call'>;
  /** Granted by the user. */
  permissions: AppContent['permissions'];
  /** Of Toolwire. */
  hostVersion: string;
  context: () => JsonObject;
  host: AppHost;
  post: (text: string) => void;
}

/** An error that the App gets. */
class AppError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Speaks JSON-RPC with an App through the sandbox: MCP Apps, revision 2026-01-26. Its host offers `tools/call`, `resources/read`, `ping`,
 * `ui/open-link`, `ui/message` and log messages. `post` sends text to the sandbox.
 */
export function createAppBridge(options: BridgeOptions): AppBridge {
  const { app, host } = options;
  const send = (message: JsonObject): void => options.post(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const running = new Map<JsonValue, AbortController>();
  let state: 'new' | 'initializing' | 'started' | 'closed' = 'new';
  let onTornDown: (() => void) | undefined;

  const requests = createRequests({ ...options, initialize: () => (state = 'initializing') });
  const notifications = createNotifications(host, {
    initialized() {
      if (state !== 'initializing') return;
      state = 'started';
      host.started();
      const { argsJson, result } = app.call ?? { argsJson: '{}' };
      send({ method: 'ui/notifications/tool-input', params: { arguments: JSON.parse(argsJson) as JsonValue } });
      if (result !== undefined) send({ method: 'ui/notifications/tool-result', params: result });
    },
    cancel: (id) => running.get(id)?.abort(),
  });
  const cancelAll = (): void => {
    for (const controller of running.values()) controller.abort();
    running.clear();
  };

  async function answer(id: JsonValue, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    try {
      const handler = Object.hasOwn(requests, method) ? requests[method] : undefined;
      if (handler === undefined) throw new AppError(-32_601, `Toolwire does not support ${method.slice(0, 100)}.`);
      if (state === 'new' && method !== 'ui/initialize' && method !== 'ping')
        throw new AppError(-32_600, 'The first request must be ui/initialize.');
      if (running.size >= maxRunning) throw new AppError(-32_000, `At most ${maxRunning} requests can run at once.`);
      if (running.has(id)) throw new AppError(-32_600, 'A request with this id runs already.');
      running.set(id, controller);
      const result = await Promise.resolve(handler(params, controller.signal)).finally(() => running.delete(id));
      if (!controller.signal.aborted) send({ id, result });
    } catch (cause) {
      if (controller.signal.aborted) return;
      const message = cause instanceof Error ? cause.message : String(cause);
      send({ id, error: { code: cause instanceof AppError ? cause.code : -32_000, message } });
    }
  }

  return {
    receive(text) {
      if (state === 'closed' || typeof text !== 'string' || text.length > maxLength) return;
      const message = parse(text);
      if (message === undefined) return;
      const { id, method, params = {} } = message;
      if (method === undefined) {
        if (id === teardownId) onTornDown?.();
      } else if (typeof method !== 'string' || !isJsonObject(params)) return;
      else if (id === undefined) Object.entries(notifications).find(([name]) => name === method)?.[1](params);
      else if (typeof id === 'number' || (typeof id === 'string' && id.length <= 200)) void answer(id, method, params);
    },
    contextChanged(changes) {
      if (state === 'started') send({ method: 'ui/notifications/host-context-changed', params: changes });
    },
    async teardown() {
      if (state !== 'started') return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      onTornDown = () => resolve(undefined);
      const timer = setTimeout(onTornDown, teardownMs);
      send({ id: teardownId, method: 'ui/resource-teardown', params: {} });
      await promise;
      clearTimeout(timer);
    },
    cancelAll,
    close() {
      state = 'closed';
      onTornDown?.();
      cancelAll();
    },
  };
}

type Handler = (params: JsonObject, signal: AbortSignal) => JsonObject | Promise<JsonObject>;

/** What an App may request. */
function createRequests(options: BridgeOptions & { initialize: () => void }): Record<string, Handler> {
  const { app, permissions, hostVersion, context, host, initialize } = options;
  return {
    ping: () => ({}),
    'ui/initialize'() {
      initialize();
      return {
        protocolVersion: revision,
        hostInfo: { name: 'toolwire', title: 'Toolwire', version: hostVersion },
        hostCapabilities: {
          openLinks: {},
          serverTools: {},
          serverResources: {},
          logging: {},
          ...(host.takeMessage && { message: { text: {} } }),
          sandbox: { csp: app.csp, permissions: grantedOf(permissions) },
        },
        hostContext: { ...context(), ...(app.call && { toolInfo: { tool: app.call.tool } }) },
      };
    },
    'tools/call'({ name, arguments: args = {} }, signal) {
      if (typeof name !== 'string' || !isJsonObject(args))
        throw invalid('name must be a string, and arguments an object');
      return host.callTool(name, args, signal);
    },
    'resources/read'({ uri }, signal) {
      if (typeof uri !== 'string') throw invalid('uri must be a string');
      return host.readResource(uri, signal);
    },
    async 'ui/open-link'({ url }, signal) {
      const link = typeof url === 'string' && url.length <= 2_048 && URL.canParse(url) ? new URL(url) : undefined;
      if (link === undefined || !['http:', 'https:'].includes(link.protocol))
        throw invalid('url must be a URL of http or https');
      if (!(await host.openLink(link, signal))) throw new AppError(-32_000, 'The user did not open the link.');
      return {};
    },
    async 'ui/message'({ role, content }, signal) {
      if (!host.takeMessage)
        throw new AppError(-32_000, 'This App is not in a chat, so there is nowhere to put a message.');
      if (role !== 'user') throw invalid('role must be user');
      if (!(await host.takeMessage(textOf(content), signal)))
        throw new AppError(-32_000, 'The user refused the message.');
      return {};
    },
    'ui/request-display-mode': () => ({ mode: 'inline' }),
  };
}

/** What an App, and the sandbox, may notify. */
function createNotifications(
  host: AppHost,
  { initialized, cancel }: { initialized: () => void; cancel: (id: JsonValue) => void },
): Record<string, (params: JsonObject) => void> {
  const mayLog = createLimit(logBurst, logsPerSecond);
  return {
    'ui/notifications/sandbox-proxy-ready': () => host.sandboxReady(),
    'ui/notifications/sandbox-stopped': ({ reason }) => host.stopped(String(reason)),
    'ui/notifications/initialized': initialized,
    'ui/notifications/size-changed'({ width, height }) {
      host.resize({ ...(isLength(width) && { width }), ...(isLength(height) && { height }) });
    },
    'ui/notifications/request-teardown': () => host.ended(),
    'notifications/message'({ level, logger, data = null }) {
      const known = logLevels.find((each) => each === level);
      if (known === undefined || !mayLog()) return;
      host.log({
        level: known,
        ...(typeof logger === 'string' && { logger: logger.slice(0, 100) }),
        data: shortened(data),
      });
    },
    'notifications/cancelled': ({ requestId }) => cancel(requestId ?? null),
  };
}

const teardownId = 'toolwire-teardown';

function parse(text: string): JsonObject | undefined {
  try {
    const message = JSON.parse(text) as JsonValue;
    return isJsonObject(message) && message['jsonrpc'] === '2.0' ? message : undefined;
  } catch {
    // No message of ours has this form.
    return undefined;
  }
}

function isLength(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function invalid(why: string): AppError {
  return new AppError(-32_602, `Invalid parameters: ${why}.`);
}

/** The text of a message: its blocks, or one block. */
function textOf(content: JsonValue | undefined): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => (isJsonObject(block) && block['type'] === 'text' ? block['text'] : undefined));
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string'))
    throw invalid('content must be blocks of text');
  const text = texts.join('\n');
  if (text.length > 20_000) throw invalid('content may have 20,000 characters');
  return text;
}

/** Data that the log can take. */
function shortened(data: JsonValue): JsonValue {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text.length > 4_000 ? `${text.slice(0, 4_000)}…` : data;
}

/** The member of `permissions` for each feature. */
function grantedOf(permissions: AppContent['permissions']): JsonObject {
  return Object.fromEntries(
    permissions.map((feature) => [feature === 'clipboard-write' ? 'clipboardWrite' : feature, {}]),
  );
}

/** Returns a function that tells whether one more is allowed. */
function createLimit(burst: number, perSecond: number): () => boolean {
  let left = burst;
  let before = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - before) / 1_000) * perSecond);
    before = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
