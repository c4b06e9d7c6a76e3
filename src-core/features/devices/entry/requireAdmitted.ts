import { RequestError } from '../../../base/requestError.ts';
import type { DeviceSession } from '../session/deviceSession.ts';

/**
 * Sees to it that something may be sent on a connection: before its hello is answered a board may drop what comes, and
 * nobody has let it in (spec/xiaozhi.md §1.2). `name` is what errors call the device.
 * @throws RequestError where there is none, it has ended, said no hello, or waits for approval.
 */
export function requireAdmitted(session: DeviceSession | undefined, name: string): asserts session is DeviceSession {
  if (session === undefined || session.ended) throw new RequestError(`${name} is not connected. Let it connect first.`);
  if (session.admitted) return;
  throw new RequestError(
    session.held ? `${name} waits for approval. Let it in first.` : `${name} has said no hello yet. Wait for it.`,
  );
}
