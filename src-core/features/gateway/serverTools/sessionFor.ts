import { ToolError } from '../../../base/errors.ts';
import type { Session } from '../sessionStore.ts';
import type { ServerToolOptions } from './serverTool.ts';

/**
 * The session that a call is about. In a conversation that is its own, and an argument that names another is refused;
 * by hand it is the one that is named (docs/protocols/gateway.md#server-tools). Throws a `ToolError` `tool-error`.
 */
export function sessionFor(
  { sessionOf, sessions }: Pick<ServerToolOptions, 'sessionOf' | 'sessions'>,
  { callId, sessionId }: { callId: string; sessionId: string },
): Session {
  const own = sessionOf(callId);
  if (own !== undefined) {
    if (sessionId === '' || sessionId === own.id) return own;
    throw new ToolError('tool-error', 'session_id names another session. Leave it out: this session is meant then.');
  }
  const named = sessionId === '' ? undefined : sessions.get(sessionId);
  if (named !== undefined) return named;
  throw new ToolError(
    'tool-error',
    sessionId === ''
      ? 'This tool belongs to a conversation over the gateway; a call by hand has none.'
      : `There is no session "${sessionId.slice(0, 80)}" on the gateway.`,
  );
}
