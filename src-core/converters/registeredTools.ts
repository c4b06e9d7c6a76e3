import { resolveToolEnabled } from '../engine/resolveToolEnabled.ts';
import { defaultToolCallConfig } from '../registry/calls.ts';
import { getToolIndex, type ToolTarget } from '../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { ConverterExecution } from './runConverted.ts';

/** The registered methods that a model may call now. Of two with one qualified name none can be called by it: both are left out. */
export function registeredTools(
  toolRegistryManager: ToolRegistryManager,
  { config }: Pick<ConverterExecution, 'config'>,
): ToolTarget[] {
  return [...getToolIndex(toolRegistryManager).byQualifiedName.values()]
    .filter((targets) => targets.length === 1)
    .flat()
    .filter(
      ({ registry, method }) =>
        method.agentCallable === true && resolveToolEnabled(registry.id, { ...defaultToolCallConfig, ...config }),
    );
}
