import type { JsonObject } from '../../base/json.ts';
import { formatTagged } from './formatTagged.ts';

export interface FormatToolCallOptions {
  /** `toolId_methodName`. */
  toolName: string;
  args: JsonObject;
  /** Kept through the cycle; made up by the parser where absent. */
  requestId?: string | undefined;
}

/** A call as a model writes it, that `parseJsonCalls` reads back to just this call. */
export function formatToolCall({ toolName, args, requestId }: FormatToolCallOptions): string {
  return formatTagged('tool_call', {
    ...(requestId !== undefined && { id: requestId }),
    name: toolName,
    arguments: args,
  });
}
