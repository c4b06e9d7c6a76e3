import { formatDuration } from '../../../base/formatDuration.ts';
import { closeText } from '../wire/closeText.ts';
import type { WireClose } from '../wire/deviceWire.ts';
import type { CutRequest } from '../wire/rpcPeer.ts';
import type { DoctorCause } from '../../../contract/deviceInfo.ts';
import { dangerReasons } from '../../../registry/dangerReasons.ts';
import { dangerOf } from '../../../registry/dangerousTools.ts';

const leaves: ReadonlySet<string> = new Set([
  dangerReasons.restarts,
  dangerReasons.reboots,
  dangerReasons.changesWifi,
  dangerReasons.dropsWifi,
]);

/** Among the tools that overwrite something, those after which a device restarts. */
const startsAnew = /upgrade|downgrade|rollback|firmware|(?<![a-z])ota(?![a-z])|reset|升级|刷机|固件|出厂/i;

/** Why a connection ended: the same for the device's card and for the call that the end cut off. */
export interface Departure {
  cause: Extract<DoctorCause, 'left' | 'closed-here' | 'left-during-call' | 'left-as-asked' | 'broken-frames'>;
  /** What happened, in a sentence that names the device and the request. */
  description: string;
}

/** A request that waited for its answer when the connection ended, at `endedAt` of the clock. */
interface CutOff {
  request: CutRequest;
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
      description: `${name} disconnected as ${tool} requires, ${elapsed} after the request.`,
    };
  if (id === undefined) return { cause: causeOf(close, undefined), description: `${how}.` };
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

/**
 * Whether a connection ended because the device did what it was asked for: it restarts, or leaves its network, before its main
 * task sends the answer. A restarted board may be back before its old connection is noticed to be gone.
 */
export function leftAsAsked(close: WireClose, { tool }: Pick<CutRequest, 'tool'>): boolean {
  if (tool === undefined || close.broken === true) return false;
  return (close.ourReason === undefined || close.isReplaced === true) && endsConnection(tool);
}

function endsConnection(toolName: string): boolean {
  const danger = dangerOf(toolName);
  if (danger === undefined) return false;
  return leaves.has(danger) || (danger === dangerReasons.overwrites && startsAnew.test(toolName));
}
