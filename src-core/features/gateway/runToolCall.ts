import { executeSingleRequest } from '../../engine/executor.ts';
import { newCallId } from '../../engine/newCallId.ts';
import type { ToolExecutionResult } from '../../registry/calls.ts';
import { defaultToolCallConfig } from '../../registry/calls.ts';
import type { JsonObject } from '../../base/json.ts';
import type { OfferedTool } from './toolCatalog.ts';
import type { Turn, TurnServices } from './turnContext.ts';
import type { GatewayTurnCall } from './turnTypes.ts';

/** ms for a server tool (docs/protocols/gateway.md#limits). */
const serverToolTimeoutMs = 10_000;
/** Bytes of a result: with what is around it, it fits a frame of 1 MiB. */
const maxResultBytes = 256 * 1024;

/** A model's call, and the signal that ends it early. */
export interface ToolCallOptions {
  tool: OfferedTool;
  args: JsonObject;
  turn: Pick<Turn, 'session' | 'checkAllowance'>;
  services: TurnServices;
  signal: AbortSignal;
  /** Where the call is noted. */
  note: GatewayTurnCall | undefined;
}

/** Runs one call of a gateway's model through the one executor. Never rejects. */
export async function runToolCall(options: ToolCallOptions): Promise<ToolExecutionResult> {
  const { tool, args, turn, services, signal, note } = options;
  const { toolRegistryManager, callPolicy, clock, callSessions, onError } = services;
  const policy = callPolicy();
  const timeout = tool.isClients ? services.settings().clientToolTimeout * 1_000 : serverToolTimeoutMs;
  const config = { ...defaultToolCallConfig, ...policy.config, timeout };
  const callId = newCallId();
  callSessions.set(callId, turn.session);
  if (note !== undefined)
    Object.assign(note, {
      callId,
      argsJson: JSON.stringify(args),
      status: 'running',
      startedAt: clock.wall(),
    });
  try {
    const result = await executeSingleRequest(
      { toolName: tool.toolId, command: tool.method.name, args },
      {
        ...policy,
        // The gateway's own tools are its purpose: they are on unless switched off by name.
        config: tool.isOwn ? { ...config, defaultToolEnabled: true } : config,
        toolRegistryManager,
        caller: 'gateway',
        signal,
        maxResultBytes,
        onError,
        suspicionOf: turn.session.results.suspicionOf,
        checkAllowance: turn.checkAllowance,
        shownName: tool.name,
        after: clock.after,
        newId: () => callId,
      },
    );
    const { status, durationMs, result: told } = result;
    if (note !== undefined) Object.assign(note, { status, durationMs, told });
    return result;
  } finally {
    callSessions.delete(callId);
  }
}
