import { dangerReasons } from '../../../registry/dangerReasons.ts';
import { dangerOf } from '../../../registry/dangerousTools.ts';
import type { WireClose } from '../wire/deviceWire.ts';
import type { PendingRequest } from '../wire/rpcPeer.ts';

const leaves: ReadonlySet<string> = new Set([
  dangerReasons.restarts,
  dangerReasons.reboots,
  dangerReasons.changesWifi,
  dangerReasons.dropsWifi,
]);
/** Among the tools that overwrite something, those after which a device starts anew. */
const startsAnew = /upgrade|downgrade|rollback|firmware|(?<![a-z])ota(?![a-z])|reset|升级|刷机|固件|出厂/i;

/**
 * Whether a connection ended because the device did what it was asked for: it restarts, or leaves its network, before its main
 * task sends the answer. A restarted board may be back before its old connection is noticed to be gone.
 */
export function leftAsAsked(close: WireClose, { tool }: Pick<PendingRequest, 'tool'>): boolean {
  if (tool === undefined || close.broken === true) return false;
  return (close.ourReason === undefined || close.isReplaced === true) && endsConnection(tool);
}

function endsConnection(toolName: string): boolean {
  const danger = dangerOf(toolName);
  if (danger === undefined) return false;
  return leaves.has(danger) || (danger === dangerReasons.overwrites && startsAnew.test(toolName));
}
