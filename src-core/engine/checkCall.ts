import { defaultToolCallConfig, type ToolCaller } from '../registry/calls.ts';
import { ToolError } from '../base/errors.ts';
import { invalidArguments } from '../schema/invalidArguments.ts';
import type { CallInHand } from './callInHand.ts';
import type { PreparedCall } from './prepareCall.ts';
import { resolveToolEnabled } from './resolveToolEnabled.ts';

/** A call that may run. */
export type CheckedCall = Exclude<PreparedCall, { error: ToolError }>;

/**
 * What a call has to be before it runs: its name means a method, its caller may call that, and its arguments fit.
 * Throws a `ToolError`: one of `prepareCall`'s, `tool-disabled`, `not-agent-callable` or `invalid-arguments`.
 */
export function checkCall({ prepared, options }: CallInHand): CheckedCall {
  if (prepared.error !== undefined) throw prepared.error;
  const { target, converted } = prepared;
  const shownName = options.shownName ?? target.qualifiedName;
  if (options.caller !== 'user') {
    const config = { ...defaultToolCallConfig, ...options.config };
    if (!resolveToolEnabled(target.registry.id, config))
      throw toolDisabled(target.registry.id, {
        caller: options.caller,
        isCallingOn: config.enabled,
      });
    // A second check, beside discovery: that a method exists does not mean that a model may call it.
    if (target.method.agentCallable !== true) {
      throw new ToolError('not-agent-callable', `"${shownName}" may be called by a person only.`);
    }
  }
  if (converted.issues.length > 0) throw invalidArguments(shownName, converted);
  return prepared;
}

/** Gateways and MCP clients do not depend on the switch of tool calling. */
function toolDisabled(
  toolId: string,
  { caller, isCallingOn }: { caller: ToolCaller; isCallingOn: boolean },
): ToolError {
  if (isCallingOn || caller !== 'model')
    return new ToolError('tool-disabled', `The tool "${toolId}" is switched off for this agent.`);
  const message = 'Tool calling is off, so no tool can be called.';
  return new ToolError('tool-disabled', message, {
    details: { calling: 'off' },
  });
}
