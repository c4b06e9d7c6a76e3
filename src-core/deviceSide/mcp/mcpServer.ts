import { describeThrown } from '../../base/describeThrown.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { checkOptions } from '../../base/checkOptions.ts';
import { commonManagers, type CommonToolsOptions } from '../managers/commonManagers.ts';
import type { McpDialect, McpRequest } from './dialect.ts';
import type { McpTool, ToolContext, VisionTarget } from './mcpTool.ts';
import { Property, PropertyType } from './property.ts';
import { PropertyList } from './propertyList.ts';
import type { ToolManager } from './toolManager.ts';
import { RpcError, rpcCodes } from './rpcError.ts';
import { standardDialect } from './standardDialect.ts';
import { toContent, type CallResult } from './toolContent.ts';

export interface McpServerOptions {
  /** `serverInfo` of initialize: what the device is called, and its version. */
  name?: string;
  version?: string;
  dialect?: McpDialect;
  /** Calls that may run at once over all connections; 1,024 by default. */
  maxRunningCalls?: number;
}

/** What a message is handled with. */
export interface HandleOptions {
  /** Aborts what runs for a connection that is gone. */
  signal?: AbortSignal;
  identity?: ToolContext['identity'];
  /** Runs a callback when its turn has come; at once by default. Arguments are checked before. */
  runCall?: <T>(run: () => Promise<T>) => Promise<T>;
}

const neverAborted = new AbortController().signal;

/** The device's side of MCP: tools, and the answers to what a server asks. It knows no transport. */
export class McpServer {
  static #instance: McpServer | undefined;
  readonly #tools = new Map<string, McpTool>();
  readonly #serverInfo: { name: string; version: string };
  readonly #dialect: McpDialect;
  readonly #maxRunningCalls: number;
  #running = 0;
  #vision: VisionTarget | undefined;

  /** @throws TypeError for an option that does not exist. */
  constructor(options: McpServerOptions = {}) {
    checkOptions('McpServer', options, { name: true, version: true, dialect: true, maxRunningCalls: true });
    const { name = 'toolwire-device', version = '1.0.0', dialect = standardDialect, maxRunningCalls = 1_024 } = options;
    this.#serverInfo = { name, version };
    this.#dialect = dialect;
    this.#maxRunningCalls = maxRunningCalls;
  }

  /** One server for a program that is one device. */
  static getInstance(): McpServer {
    McpServer.#instance ??= new McpServer();
    return McpServer.#instance;
  }

  /** The tools, in the order they are listed. */
  get tools(): readonly McpTool[] {
    return [...this.#tools.values()];
  }

  /** The server's address for explaining pictures; known after its initialize. */
  get vision(): VisionTarget | undefined {
    return this.#vision;
  }

  /** @throws {Error} If a tool of that name exists. */
  addTool(tool: McpTool): void {
    if (this.#tools.has(tool.name)) throw new Error(`There is a tool "${tool.name}" already. Remove it first.`);
    this.#tools.set(tool.name, tool);
  }

  /** Whether there was one. Servers learn of it when the device connects again: xiaozhi has no list_changed. */
  removeTool(name: string): boolean {
    return this.#tools.delete(name);
  }

  /** Adds the tools of managers; if one throws, none of that manager. */
  addManagers(...managers: readonly ToolManager[]): void {
    for (const manager of managers) {
      const tools: McpTool[] = [];
      manager.initTools((tool) => void tools.push(tool), PropertyList, Property, PropertyType);
      const names = new Set(this.#tools.keys());
      for (const { name } of tools) {
        if (names.has(name)) throw new Error(`There is a tool "${name}" already. Remove it first.`);
        names.add(name);
      }
      for (const tool of tools) this.addTool(tool);
    }
  }

  /** Adds the tools of all managers. @throws TypeError for an option that does not exist. */
  addCommonTools(options: CommonToolsOptions = {}): void {
    this.addManagers(...commonManagers(options));
  }

  /** Answers one JSON-RPC message with the text of another, or with `undefined`: silence. Never rejects. */
  async handle(payload: JsonValue | undefined, options: HandleOptions = {}): Promise<string | undefined> {
    const request = this.#dialect.readRequest(payload);
    if (request === undefined) return undefined;
    const { id } = request;
    try {
      if ('error' in request) throw request.error;
      return this.#dialect.encodeResult(id, await this.#resultOf(request, options));
    } catch (error) {
      const rpcError = error instanceof RpcError ? error : new RpcError(rpcCodes.internalError, describeThrown(error));
      return this.#dialect.encodeError(id, rpcError);
    }
  }

  async #resultOf(request: McpRequest, options: HandleOptions): Promise<JsonObject> {
    const { method, params } = request;
    if (method === 'initialize') return this.#initialize(this.#dialect.readParams(params));
    if (method === 'tools/list') return this.#dialect.listTools(this.tools, this.#dialect.readParams(params));
    if (method === 'tools/call') return { ...(await this.#call(request, options)) };
    if (method === 'ping' && this.#dialect.answersPing) return {};
    throw new RpcError(rpcCodes.methodNotFound, `Method not implemented: ${method}`);
  }

  #initialize(params: JsonObject): JsonObject {
    const { capabilities } = params;
    const vision = isJsonObject(capabilities) ? capabilities['vision'] : undefined;
    if (isJsonObject(vision) && typeof vision['url'] === 'string') {
      const { url, token } = vision;
      this.#vision = { url, ...(typeof token === 'string' ? { token } : {}) };
    }
    return { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { ...this.#serverInfo } };
  }

  async #call(request: McpRequest, options: HandleOptions): Promise<CallResult> {
    const { signal = neverAborted, identity, runCall = (run) => run() } = options;
    const { name, args } = this.#dialect.readCall(request);
    const tool = this.#tools.get(name);
    if (tool === undefined) return this.#dialect.unknownTool(name);
    if (this.#running >= this.#maxRunningCalls)
      return this.#dialect.failure(`${this.#running} calls are under way already. Try again when some have ended.`);
    this.#running += 1;
    try {
      const bound = this.#dialect.bindArguments(tool.properties, args);
      const context: ToolContext = {
        signal,
        vision: this.#vision,
        ...(identity === undefined ? {} : { identity }),
      };
      const content = toContent(await runCall(async () => tool.callback(bound, context)));
      return { content: content.map(this.#dialect.toBlock), isError: false };
    } catch (error) {
      return this.#dialect.failure(describeThrown(error));
    } finally {
      this.#running -= 1;
    }
  }
}
