import { reportError, type ErrorReporter } from '../base/reportError.ts';
import type { ToolDefinition } from '../registry/toolDefinition.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { AgentProvider } from './agentProvider.ts';
import type { ToolConverterBase } from './toolConverter.ts';

/** An agent, and the converter that holds its names. */
export interface FollowOptions<Tool, Tools> {
  converter: ToolConverterBase<Tool, Tools>;
  provider: AgentProvider<Tool, Tools>;
  /** Called if an update fails; the next one is tried nevertheless. */
  onError?: ErrorReporter;
}

/**
 * Synchronises an agent's tools with those that one device lists: a second hello replaces them,
 * and those no longer listed are removed. While the device is disconnected, its tools remain and report that when
 * called. Returns the function that ends it.
 */
export function followDeviceTools<Tool, Tools>({
  devices,
  deviceId,
  ...agent
}: FollowOptions<Tool, Tools> & {
  devices: { setDeviceToolsCallback: (id: string, callback: (tools: ToolDefinition[]) => void) => () => void };
  deviceId: string;
}): () => void {
  const replace = createReplacer(agent);
  return devices.setDeviceToolsCallback(deviceId, (definitions) =>
    replace(() => agent.converter.convertDeviceTools(definitions)),
  );
}

/**
 * Synchronises an agent's tools with all registered ones: devices that connect and disconnect, modules that change. The
 * names are qualified, so that the tools of two devices stay distinct. Returns the function that ends it.
 */
export function followRegisteredTools<Tool, Tools>({
  toolRegistryManager,
  ...agent
}: FollowOptions<Tool, Tools> & { toolRegistryManager: ToolRegistryManager }): () => void {
  const replace = createReplacer(agent);
  let waiting = false;
  let ended = false;
  const update = (): void => {
    waiting = false;
    if (!ended) replace(() => agent.converter.convertRegisteredTools(toolRegistryManager));
  };
  const stop = toolRegistryManager.onChange(() => {
    // Many changes at once are one update.
    if (!waiting) queueMicrotask(update);
    waiting = true;
  });
  update();
  return () => {
    ended = true;
    stop();
  };
}

/** Puts a source's tools in the place of those it had before. */
function createReplacer<Tool, Tools>({
  provider,
  onError = reportError,
}: FollowOptions<Tool, Tools>): (convert: () => Tools) => void {
  let former = new Set<string>();
  async function replace(convert: () => Tools): Promise<void> {
    const tools = convert();
    const names = new Set([...provider.entriesOf(tools)].map(([wireName]) => wireName));
    const gone = [...former].filter((wireName) => !names.has(wireName));
    former = names;
    // Both begin at once, so that no other update comes between them.
    await Promise.all([provider.removeTools(gone), provider.updateTools(tools)]);
  }
  return (convert) => void replace(convert).catch((error: unknown) => onError(error, 'an update of an agent’s tools'));
}
