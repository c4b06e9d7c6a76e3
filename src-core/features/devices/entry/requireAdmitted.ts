import { RequestError } from '../../../base/requestError.ts';
import type { DeviceSession } from '../session/deviceSession.ts';

/**
 * Asserts that frames may be sent on a connection. Before its hello is answered, a board may drop frames, and the
 * device is not admitted (docs/protocols/xiaozhi.md#hello). `name` is the device's name in errors.
 * @throws {RequestError} If there is no session, it has ended, it sent no hello, or it waits for approval.
 */
export function requireAdmitted(session: DeviceSession | undefined, name: string): asserts session is DeviceSession {
  if (session === undefined || session.ended) throw new RequestError(`${name} is not connected. Let it connect first.`);
  if (session.admitted) return;
  throw new RequestError(
    session.held ? `${name} waits for approval. Approve it first.` : `${name} has not sent its hello yet. Wait for it.`,
  );
}
