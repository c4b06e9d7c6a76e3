import { ToolError } from '../../../base/errors.ts';
import type { FrameFault } from '../../../contract/deviceInfo.ts';
import type { PendingRequest } from '../wire/rpcPeer.ts';

/** An answer that cannot be read. */
export interface BrokenAnswer {
  /** Id of the request that it answers. */
  id: number;
  text: string;
  /** Its size on the wire. */
  bytes: number;
  /** What is wrong with it, as a clause. */
  reason: string;
  fault: Exclude<FrameFault, 'audio'>;
}

/** Characters of a frame that an error keeps. */
export const maxFrameInError = 4_096;

/** Says what is wrong with an answer, what usually causes that, and what came. `details.fault` names the kind. */
export function brokenAnswerError(device: string, { method }: PendingRequest, answer: BrokenAnswer): ToolError {
  const { id, text, bytes, reason, fault } = answer;
  const frame = text.slice(0, maxFrameInError);
  const messages: Record<BrokenAnswer['fault'], string> = {
    foreign: `${device} answered ${method} #${id} with text that does not begin as a JSON object. Check whether log output is written to the connection, or the memory of the answer is overwritten. The frame: ${frame}`,
    cut: `${device} answered ${method} #${id} with JSON that is cut off: it ends after ${bytes} bytes. Check the size of the buffer that the answer is written to. The frame: ${frame}`,
    'not-utf8': `${device} answered ${method} #${id} with text that is ${reason}. Either a character was cut in two, or the text is in another encoding, such as GBK. The frame: ${frame}`,
    malformed: `${device} answered ${method} #${id} with text that is ${reason}. Boards do not escape quotes in error messages; the original text is in the frame: ${frame}`,
    binary: `${device} answered ${method} #${id} in a binary frame, which carries audio. Send it as a text frame. The frame: ${frame}`,
  };
  return new ToolError('protocol-error', messages[fault], { details: { requestId: id, device, frame, fault } });
}

/** Says that an answer of so many bytes is not read. */
export function largeAnswerError(
  device: string,
  { id, method }: PendingRequest,
  { bytes, maxParsed }: { bytes: number; maxParsed: number },
): ToolError {
  const message =
    `${device} answered ${method} #${id} with ${bytes} bytes, more than the ${maxParsed} that are read. ` +
    'Let it return less per call, for example in parts.';
  return new ToolError('protocol-error', message, { details: { requestId: id, device } });
}
