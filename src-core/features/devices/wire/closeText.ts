import type { FrameNote } from '../../frames/frameLog.ts';
import type { WireClose } from './deviceWire.ts';
import type { CutRequest } from './rpcPeer.ts';

/** How a device left, as a sentence: "书房音箱 closed the connection with code 1000". */
export function closeText(name: string, close: WireClose): string {
  const connection = `The connection to ${name.replace(/^The (?=device($| of session ))/, 'the ')}`;
  if (close.ourReason !== undefined) return `${connection} was closed here: ${close.ourReason}`;
  if (close.error !== undefined && !('code' in close.error && close.error.code === 'ECONNRESET'))
    return `${connection} broke: ${close.error.message}`;
  // No frame has this code.
  if (close.code === 1006) return `${connection} ended without a close frame (1006)`;
  return `${name} closed the connection with code ${close.code}`;
}

/** The end of a connection in the log, with the call that it cut off. `isAsked`: the device left because of that call. */
export function closeNote(close: WireClose, call: CutRequest | undefined, isAsked: boolean): FrameNote {
  const { code, ourReason, error } = close;
  const silent = code === 1006 ? 'without a close frame' : 'by the device';
  const how = isAsked ? `as ${call?.tool} requires` : (ourReason ?? error?.message ?? silent);
  const note: FrameNote = { type: 'close', summary: `${code} ${how}` };
  if (call?.callId !== undefined) note.callId = call.callId;
  if (isAsked && call?.id !== undefined) note.rpcId = call.id;
  return note;
}
