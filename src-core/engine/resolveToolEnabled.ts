import type { ToolCallConfig } from '../base/calls.ts';

/** Whether an agent may use a tool: `toolToggles` first, then `defaultToolEnabled`. */
export function resolveToolEnabled(
  toolId: string,
  config: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>,
): boolean {
  const toggle = Object.hasOwn(config.toolToggles, toolId) ? config.toolToggles[toolId] : undefined;
  return toggle ?? config.defaultToolEnabled;
}
