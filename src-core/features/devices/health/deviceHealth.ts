import { worseHealths, type DeviceHealth, type DeviceState, type DoctorCause } from '../../../contract/deviceInfo.ts';

/**
 * The health of a device by its state and its doctor's cause. Devices, Discovery, the Executor and the terminal show it, so
 * that none of them calls a device live that another calls incomplete.
 */
export function deviceHealth(state: DeviceState, cause: DoctorCause | undefined): DeviceHealth {
  if (state === 'failed' && cause === 'refused') return 'refused';
  if (state !== 'ready' && state !== 'closed') return state;
  if (cause === 'answered-late') return 'call-timeout';
  return worseHealths.find((each) => each === cause) ?? state;
}
