import type { ToolCallConfig, ToolCaller } from '../base/calls.ts';
import { ToolError } from '../base/errors.ts';

/** Whether an agent may use a tool: `toolToggles` first, then `defaultToolEnabled`. */
export function resolveToolEnabled(
  toolId: string,
  config: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>,
): boolean {
  const toggle = Object.hasOwn(config.toolToggles, toolId) ? config.toolToggles[toolId] : undefined;
  return toggle ?? config.defaultToolEnabled;
}

/** The error of a call of a tool that is off. Gateways and MCP clients do not depend on the switch of tool calling. */
export function toolDisabled(
  toolId: string,
  { caller, isCallingOn }: { caller: ToolCaller; isCallingOn: boolean },
): ToolError {
  if (isCallingOn || caller !== 'model')
    return new ToolError('tool-disabled', `The tool "${toolId}" is switched off for this agent.`);
  const message = 'Tool calling is off, so no tool can be called.';
  return new ToolError('tool-disabled', message, { details: { calling: 'off' } });
}
