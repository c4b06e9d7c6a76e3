import type { JsonSchema, JsonValue } from '../../../base/json.ts';
import type { ToolMethodDefinition } from '../../../registry/defineTool.ts';
import type { Session, SessionStore } from '../sessionStore.ts';

/** The dependencies of the server tools. */
export interface ServerToolOptions {
  /** The session in which a call is made; undefined for one by hand. */
  sessionOf: (callId: string) => Session | undefined;
  sessions: Pick<SessionStore, 'get'>;
  /** Epoch ms. */
  wall: () => number;
}

/** The schema of an object with these properties. */
export function parameters(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}

/** A method that models may call. */
export function serverTool(
  name: string,
  description: string,
  inputSchema: JsonSchema,
  handler: ToolMethodDefinition['handler'],
): ToolMethodDefinition {
  return { name, description, agentCallable: true, inputSchema, handler };
}

/** A text argument; empty if it was not given. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
