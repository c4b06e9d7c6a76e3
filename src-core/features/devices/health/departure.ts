import { formatDuration } from '../../../base/formatDuration.ts';
import { closeText } from '../wire/closeText.ts';
import type { WireClose } from '../wire/deviceWire.ts';
import { leftAsAsked } from '../session/leftAsAsked.ts';
import type { PendingRequest } from '../wire/rpcPeer.ts';
import type { DoctorCause } from '../types.ts';

/** Why a connection ended: the same for the device's card and for the call that the end cut off. */
export interface Departure {
  cause: Extract<DoctorCause, 'left' | 'closed-here' | 'left-during-call' | 'left-as-asked' | 'broken-frames'>;
  /** What happened, in a sentence that names the device and the request. */
  description: string;
}

/** A request that waited for its answer when the connection ended, at `endedAt` of the clock. */
interface CutOff {
  request: PendingRequest;
  endedAt: number;
}

/** Diagnoses the end of the connection to the device of this name. */
export function departureOf(close: WireClose, name: string, cutOff?: CutOff): Departure {
  const how = closeText(name, close);
  if (cutOff === undefined) return { cause: causeOf(close, undefined), description: `${how}.` };
  const { request, endedAt } = cutOff;
  const { id, method, tool } = request;
  const elapsed = formatDuration(endedAt - request.sentAt);
  if (tool !== undefined && leftAsAsked(close, request))
    return {
      cause: 'left-as-asked',
      description: `${name} left to do what ${tool} told it, ${elapsed} after the request.`,
    };
  return {
    cause: causeOf(close, tool),
    description: `${how}, ${elapsed} after request #${id} (${tool ?? method}), without an answer.`,
  };
}

function causeOf({ broken, ourReason, isReplaced }: WireClose, tool: string | undefined): Departure['cause'] {
  if (broken === true) return 'broken-frames';
  // A device that connected again had ended its old connection before we did.
  if (ourReason !== undefined && isReplaced !== true) return 'closed-here';
  return tool === undefined ? 'left' : 'left-during-call';
}
