import { bytesDanger, frameDanger, type FrameDangerOptions } from '../../../registry/frameDanger.ts';
import { RequestError } from '../../../base/requestError.ts';
import { readBinaryFrame } from '../audio/readBinaryFrame.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { requireAdmitted } from '../entry/requireAdmitted.ts';
import type { SendOutcome } from '../../../contract/deviceInfo.ts';
import type { FrameNote } from '../../frames/frameLog.ts';
import { readHandFrame, type HandFrame } from './readHandFrame.ts';

/** A frame as the user wrote it: either `text`, a text frame, or `base64`, a binary one. */
export interface HandInput {
  text?: string | undefined;
  base64?: string | undefined;
  /** The user has seen why the frame is dangerous, and sends it. */
  confirmed?: boolean | undefined;
}

/** The connection, and the tools that ask first on it. */
export interface SendByHandOptions extends FrameDangerOptions {
  session: DeviceSession;
  /** What errors call the device. */
  name: string;
}

/**
 * Sends one frame exactly as the user wrote it, also if no device understands it. A request is logged with its answer; no
 * call receives that answer. A dangerous frame is sent only if `confirmed`.
 * @throws RequestError if the input is not one frame, the device has not said hello, or a request of ours uses its id.
 */
export function sendByHand(input: HandInput, options: SendByHandOptions): SendOutcome {
  const { session, name } = options;
  const frame = readInput(input, session.wire.protocolVersion);
  requireAdmitted(session, name);
  const danger = frame.danger(options);
  if (danger !== undefined && input.confirmed !== true) return { sent: false, needs: 'confirmation-required', danger };
  const note = noteOf(frame.read, session, frame.kind === 'binary' ? 'base64' : 'text');
  const seq = session.wire.sendRaw(frame.data, { kind: frame.kind, text: maskSecrets(frame.shown), note });
  if (seq === undefined) throw new RequestError(`The connection to ${name} accepts no more data. Let it reconnect.`);
  return { sent: true, seq };
}

interface ReadInput {
  kind: 'text' | 'binary';
  data: Buffer;
  read: HandFrame;
  /** For the log. */
  shown: string;
  danger: (options: FrameDangerOptions) => string | undefined;
}

function readInput({ text, base64 }: HandInput, version: DeviceSession['wire']['protocolVersion']): ReadInput {
  if (text !== undefined && base64 === undefined) {
    const danger = (options: FrameDangerOptions) => frameDanger(text, options);
    return { kind: 'text', data: Buffer.from(text), read: readHandFrame(text), shown: text, danger };
  }
  if (base64 === undefined || text !== undefined)
    throw new RequestError('A frame is either "text" or "base64". Pass one of them.', { field: 'text' });
  const data = Buffer.from(base64, 'base64');
  if (data.toString('base64') !== base64)
    throw new RequestError('"base64" is not valid base64: letters, digits, + and /, ending in =.', { field: 'base64' });
  const frame = readBinaryFrame(data, version);
  if (frame.kind === 'json') {
    const danger = (options: FrameDangerOptions) => frameDanger(frame.text, options);
    return { kind: 'binary', data, read: readHandFrame(frame.text), shown: frame.text, danger };
  }
  const read: HandFrame =
    frame.kind === 'audio'
      ? { type: 'audio', summary: `audio of ${frame.bytes} bytes` }
      : { type: 'event', summary: frame.reason };
  const danger = (options: FrameDangerOptions) => bytesDanger(data, options);
  return { kind: 'binary', data, read, shown: data.toString('hex', 0, 64), danger };
}

/** Takes the id of a request for the user's own. */
function noteOf({ type, summary, method, id, tool }: HandFrame, session: DeviceSession, field: string): FrameNote {
  const note: FrameNote = { type, summary: `${summary}, by hand` };
  const { requests } = session.client;
  if (method !== undefined) {
    note.method = method;
    note.role = id === undefined ? 'notification' : 'request';
  }
  if (id !== undefined && requests.awaits(id)) {
    throw new RequestError(
      `A request of ours with the id ${id} waits for its answer. Use another; ${requests.nextId} is free.`,
      { field },
    );
  }
  if (id !== undefined) note.rpcId = id;
  requests.expectByHand({ id, method: method ?? type, summary: note.summary, tool });
  return note;
}
