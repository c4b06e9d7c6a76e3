import { RequestError } from '../../tools/requestError.ts';
import { readBinaryFrame } from '../audio/readBinaryFrame.ts';
import type { DeviceSession } from '../deviceSession.ts';
import { maskSecrets } from '../maskSecrets.ts';
import { requireAdmitted } from '../requireAdmitted.ts';
import type { SendOutcome } from '../types.ts';
import type { WireNote } from '../wireLog.ts';
import { handDanger } from './handDanger.ts';
import { readHandFrame } from './readHandFrame.ts';
import type { HandFrame } from './readHandFrame.ts';

/** A frame as a person gives it: `text` for a text frame or `base64` for a binary one, just one of them. */
export interface HandInput {
  text?: string | undefined;
  base64?: string | undefined;
  /** The person has been told what it would do, and wants it. */
  confirmed?: boolean | undefined;
}

/** The connection, and what asks first there. */
export interface SendByHandOptions {
  session: DeviceSession;
  /** What errors call the device. */
  name: string;
  registryId: string | undefined;
  dangerousTools: readonly string[];
}

/**
 * Sends one frame exactly as a person wrote it, also what no device understands. A request is logged with its answer, but
 * its answer goes to nobody else.
 * @throws RequestError where there is not one frame, the device has said no hello, or a request of ours uses its id.
 */
export function sendByHand(input: HandInput, options: SendByHandOptions): SendOutcome {
  const { session, name } = options;
  const frame = readInput(input, session.wire.protocolVersion);
  requireAdmitted(session, name);
  const danger = handDanger(frame.read, options);
  if (danger !== undefined && input.confirmed !== true) return { sent: false, needs: 'confirmation-required', danger };
  const note = noteOf(frame.read, session, frame.kind === 'binary' ? 'base64' : 'text');
  const seq = session.wire.sendRaw(frame.data, { kind: frame.kind, text: maskSecrets(frame.shown), note });
  if (seq === undefined) throw new RequestError(`The connection to ${name} takes no more. Let it connect again.`);
  return { sent: true, seq };
}

interface ReadInput {
  kind: 'text' | 'binary';
  data: Buffer;
  read: HandFrame;
  /** For the log. */
  shown: string;
}

function readInput({ text, base64 }: HandInput, version: DeviceSession['wire']['protocolVersion']): ReadInput {
  if (text !== undefined && base64 === undefined) {
    return { kind: 'text', data: Buffer.from(text), read: readHandFrame(text), shown: text };
  }
  if (base64 === undefined || text !== undefined)
    throw new RequestError('A frame is either "text" or "base64". Give one of the two.', { field: 'text' });
  const data = Buffer.from(base64, 'base64');
  if (data.toString('base64') !== base64)
    throw new RequestError('"base64" is not valid base64: letters, digits, + and /, ending in =.', { field: 'base64' });
  const frame = readBinaryFrame(data, version);
  if (frame.kind === 'json') return { kind: 'binary', data, read: readHandFrame(frame.text), shown: frame.text };
  const read: HandFrame =
    frame.kind === 'audio'
      ? { type: 'audio', summary: `audio of ${frame.bytes} bytes` }
      : { type: 'event', summary: frame.reason };
  return { kind: 'binary', data, read, shown: data.toString('hex', 0, 64) };
}

/** Takes the id of a request for the person's own. */
function noteOf({ type, summary, method, id }: HandFrame, session: DeviceSession, field: string): WireNote {
  const note: WireNote = { type, summary: `${summary}, by hand` };
  if (method === undefined) return note;
  note.method = method;
  note.role = id === undefined ? 'notification' : 'request';
  if (id === undefined) return note;
  const { requests } = session.client;
  if (requests.awaits(id)) {
    throw new RequestError(
      `A request of ours with the id ${id} waits for its answer. Use another; ${requests.nextId} is free.`,
      { field },
    );
  }
  note.rpcId = id;
  requests.expectByHand({ id, method, summary: note.summary });
  return note;
}
