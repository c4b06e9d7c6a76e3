import { roundExact } from '../base/exactNumber.ts';
import type { ToolDefinition } from '../registry/toolDefinition.ts';
import { createToolRegistryManager, type ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import { createWireNames, type WireNames } from '../registry/wireNames.ts';
import type { ConvertibleTool } from './convertibleTool.ts';
import { definitionRegistry, type DefinitionKind } from './definitionRegistry.ts';
import { functionToToolDefinition, type FunctionToolOptions, type LocalFunction } from './functionTool.ts';
import { registeredTools } from './registeredTools.ts';
import { runConverted, type ConverterExecution } from './runConverted.ts';

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

  /**
   * Names that a model can carry as they are come first, so that none of them is taken by another that looks like it.
   */
  #nameAll(names: readonly string[]): void {
    const asTheyAre = createWireNames(names);
    const fitting = names.filter((name) => asTheyAre.toWire(name) === name);
    for (const name of [...fitting, ...names]) this.names.toWire(name);
  }
}

function toDefinition(tool: ToolDefinition | LocalFunction, options?: FunctionToolOptions): ToolDefinition {
  return typeof tool === 'function' ? functionToToolDefinition(tool, options) : tool;
}
