import { ToolError } from '../base/errors.ts';
import type { ToolClientBase, ToolDefinition } from '../registry/toolDefinition.ts';
import type { InvokeOptions, MethodMetadata, ToolOutput, ToolRegistry, ToolSourceKind } from '../registry/types.ts';

/** The source of a definition: one of three kinds. */
export type DefinitionKind = 'device' | 'local' | 'mcp';

const sourceKinds: Record<DefinitionKind, ToolSourceKind> = { device: 'device', local: 'module', mcp: 'mcp' };

/** The part of a definition that runs it, by its kind. */
const runners = { device: 'deviceClient', local: 'executor', mcp: 'mcpClient' } as const;

/** One definition as a registry, so that its calls go through the executor. @throws {Error} If no member can run it. */
export function definitionRegistry(kind: DefinitionKind, definition: ToolDefinition): ToolRegistry {
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
  if (kind === 'local' && executor !== undefined) {
    return async (args, options) => ({ value: await executor(args, options) });
  }
  const client: ToolClientBase | undefined = kind === 'device' ? definition.deviceClient : definition.mcpClient;
  if (kind === 'local' || client === undefined) {
    throw new Error(`The tool "${name}" cannot be run: its definition has no ${runners[kind]}.`);
  }
  return async (args, { signal, callId, timeoutMs, onStart }) => {
    if (signal.aborted) throw new ToolError('cancelled', 'The call was cancelled before it went out.');
    // For a device the executor's timer runs; the client of a server may need to be told.
    const limit = kind === 'mcp' ? timeoutMs : Infinity;
    return client.callTool(name, args, { signal, callId, timeoutMs: limit, onStart });
  };
}
