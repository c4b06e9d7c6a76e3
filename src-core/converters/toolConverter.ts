import { isOfferedTo } from '../registry/isOfferedTo.ts';
import { roundExact } from '../base/exactNumber.ts';
import type { ToolDefinition, ToolClientBase } from '../registry/toolDefinition.ts';
import { createToolRegistryManager, type ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import { createWireNames, type WireNames } from '../registry/wireNames.ts';
import type { ConvertibleTool } from './convertibleTool.ts';
import { functionToToolDefinition, type FunctionToolOptions, type LocalFunction } from './functionTool.ts';
import { runConverted, type ConverterExecution } from './runConverted.ts';
import { resolveToolEnabled } from '../engine/resolveToolEnabled.ts';
import { defaultToolCallConfig } from '../base/calls.ts';
import { getToolIndex, type ToolTarget } from '../registry/toolIndex.ts';
import { ToolError } from '../base/errors.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../registry/types.ts';
import type { MethodMetadata, ToolSourceKind } from '../base/toolTypes.ts';

const sourceKinds: Record<DefinitionKind, ToolSourceKind> = { device: 'device', local: 'module', mcp: 'mcp' };

/** The part of a definition that runs it, by its kind. */
const runners = { device: 'deviceClient', local: 'executor', mcp: 'mcpClient' } as const;

/**
 * Puts tools into a framework's form. `Tool` is the framework's tool, `Tools` how it takes several. One
 * converter serves one agent: it holds that agent's names, so that no two tools share one and each keeps its own.
 */
export abstract class ToolConverterBase<Tool, Tools> {
  /** The name of each tool as the model gets it, and back. */
  readonly names: WireNames = createWireNames([]);
  readonly #execution: ConverterExecution;

  constructor(execution: ConverterExecution = {}) {
    this.#execution = execution;
  }

  /** A device's tool. @throws {Error} If the definition has no `deviceClient`. */
  convertDeviceTool(definition: ToolDefinition): Tool {
    return this.wrap(this.#define('device', definition));
  }

  /**
   * A function of this program, or a definition with an `executor`. Throws an Error if the definition has none, or a
   * TypeError if the function cannot be described (`functionToToolDefinition`).
   */
  convertLocalTool(tool: ToolDefinition | LocalFunction, options?: FunctionToolOptions): Tool {
    if (typeof tool !== 'function' && options !== undefined)
      throw new TypeError(`The options describe a function. "${tool.name}" is a definition already: change that.`);
    return this.wrap(this.#define('local', toDefinition(tool, options)));
  }

  /** An MCP server's tool. @throws {Error} If the definition has no `mcpClient`. */
  convertMcpTool(definition: ToolDefinition): Tool {
    return this.wrap(this.#define('mcp', definition));
  }

  /** Every tool of a device that is not for people only. */
  convertDeviceTools(definitions: readonly ToolDefinition[]): Tools {
    return this.#convertAll('device', definitions);
  }

  convertLocalTools(tools: readonly (ToolDefinition | LocalFunction)[]): Tools {
    return this.#convertAll(
      'local',
      tools.map((tool) => toDefinition(tool)),
    );
  }

  convertMcpTools(definitions: readonly ToolDefinition[]): Tools {
    return this.#convertAll('mcp', definitions);
  }

  /** Every registered method that a model may call, whatever its source, under its qualified name. */
  convertRegisteredTools(toolRegistryManager: ToolRegistryManager): Tools {
    const targets = registeredTools(toolRegistryManager, this.#execution);
    this.#nameAll(targets.map(({ qualifiedName }) => qualifiedName));
    return this.#collect(
      targets.map(({ method: { description, inputSchema }, qualifiedName }) => ({
        wireName: this.names.toWire(qualifiedName),
        description,
        // Frameworks work on schemas as values for JavaScript.
        parameters: roundExact(inputSchema),
        run: this.#runner(toolRegistryManager, qualifiedName, this.names.toWire(qualifiedName)),
      })),
    );
  }

  /** One tool in the framework's form. */
  protected abstract wrap(tool: ConvertibleTool): Tool;

  /** Several tools, each with the name that goes to the model, as the framework takes them. */
  protected abstract gather(tools: readonly (readonly [wireName: string, tool: Tool])[]): Tools;

  #convertAll(kind: DefinitionKind, definitions: readonly ToolDefinition[]): Tools {
    const offered = definitions.filter(({ userOnly = false }) => !userOnly);
    this.#nameAll(offered.map(({ name }) => name));
    // If several have the same name, the last counts, as with `updateTools`.
    const byName = new Map(offered.map((definition) => [definition.name, definition]));
    return this.#collect([...byName.values()].map((definition) => this.#define(kind, definition)));
  }

  #collect(tools: readonly ConvertibleTool[]): Tools {
    return this.gather(tools.map((tool) => [tool.wireName, this.wrap(tool)] as const));
  }

  #define(kind: DefinitionKind, definition: ToolDefinition): ConvertibleTool {
    const own = createToolRegistryManager();
    own.register(definitionRegistry(kind, definition));
    const { name, description, parameters } = definition;
    const wireName = this.names.toWire(name);
    return { wireName, description, parameters, run: this.#runner(own, `${kind}_${name}`, wireName) };
  }

  #runner(toolRegistryManager: ToolRegistryManager, toolName: string, wireName: string): ConvertibleTool['run'] {
    const target = { toolRegistryManager, toolName, wireName, execution: this.#execution };
    return (input, options) => runConverted(target, input, options);
  }

  /** Names that a model can carry as they are come first, so that none of them is taken by another that looks like it. */
  #nameAll(names: readonly string[]): void {
    const asTheyAre = createWireNames(names);
    const fitting = names.filter((name) => asTheyAre.toWire(name) === name);
    for (const name of [...fitting, ...names]) this.names.toWire(name);
  }
}

function toDefinition(tool: ToolDefinition | LocalFunction, options?: FunctionToolOptions): ToolDefinition {
  return typeof tool === 'function' ? functionToToolDefinition(tool, options) : tool;
}

/** The registered methods that a model may call now. Of two with one qualified name none can be called by it: both are left out. */
function registeredTools(
  toolRegistryManager: ToolRegistryManager,
  { config }: Pick<ConverterExecution, 'config'>,
): ToolTarget[] {
  return [...getToolIndex(toolRegistryManager).byQualifiedName.values()]
    .filter((targets) => targets.length === 1)
    .flat()
    .filter(
      ({ registry, method }) =>
        isOfferedTo(method, undefined) && resolveToolEnabled(registry.id, { ...defaultToolCallConfig, ...config }),
    );
}

/** The source of a definition: one of three kinds. */
type DefinitionKind = 'device' | 'local' | 'mcp';

/** One definition as a registry, so that its calls go through the executor. @throws {Error} If no member can run it. */
function definitionRegistry(kind: DefinitionKind, definition: ToolDefinition): ToolRegistry {
  const { name, description, parameters, userOnly = false, danger } = definition;
  const invoke = invoker(kind, definition);
  const method: MethodMetadata = {
    name,
    description,
    agentCallable: !userOnly,
    inputSchema: parameters,
    ...(danger !== undefined && { danger }),
  };
  return {
    id: kind,
    name: kind,
    source: { kind: sourceKinds[kind], id: kind, label: kind },
    // A device takes one call at a time, and says when one goes out: the others' time does not run while they wait.
    queued: kind === 'device',
    getMetadata: () => ({ methods: [method] }),
    invoke: (_name, args, options) => invoke(args, options),
  };
}

function invoker(
  kind: DefinitionKind,
  definition: ToolDefinition,
): (args: Parameters<ToolRegistry['invoke']>[1], options: InvokeOptions) => Promise<ToolOutput> {
  const { name, executor } = definition;
  if (kind === 'local' && executor !== undefined)
    return async (args, options) => ({ value: await executor(args, options) });
  const client: ToolClientBase | undefined = kind === 'device' ? definition.deviceClient : definition.mcpClient;
  if (kind === 'local' || client === undefined)
    throw new Error(`The tool "${name}" cannot be run: its definition has no ${runners[kind]}.`);
  return async (args, { signal, callId, timeoutMs, onStart }) => {
    if (signal.aborted) throw new ToolError('cancelled', 'The call was cancelled before it was sent.');
    // For a device the executor's timer runs; the client of a server may need to be told.
    const limit = kind === 'mcp' ? timeoutMs : Infinity;
    return client.callTool(name, args, { signal, callId, timeoutMs: limit, onStart });
  };
}
