import { worseHealths, type DeviceHealth, type DeviceState, type DoctorCause } from '../../../contract/deviceInfo.ts';
import type { CallFault } from '../wire/rpcPeer.ts';

/**
 * The health of a device by its state, its doctor's cause and what came of its last call. Devices, Discovery, the Executor and the terminal show it, so
 * that none of them calls a device live that another calls incomplete.
 */
export function deviceHealth(
  state: DeviceState,
  cause: DoctorCause | undefined,
  callFault: CallFault['cause'] | undefined,
): DeviceHealth {
  if (state === 'failed' && cause === 'refused') return 'refused';
  if (state !== 'ready' && state !== 'closed') return state;
  const ofCall = callFault === 'answered-late' || callFault === 'call-unmatched' ? 'call-timeout' : callFault;
  // One that has left has not come back.
  const fact = state === 'closed' && ofCall === 'back-after-crash' ? 'left-during-call' : ofCall;
  return worseHealths.find((each) => each === cause || each === fact) ?? state;
}
