import type { DeviceState, DoctorCause } from '../types.ts';

/** What a connected device, or one that left, has to say that its state does not. */
const worse = ['list-incomplete', 'no-mcp', 'no-tools', 'broken-frames', 'left-during-call'] as const;

/** The worst fact that is known of a device: its state, or what its state does not say. */
export type DeviceHealth = DeviceState | 'refused' | (typeof worse)[number];

/**
 * The health of a device by its state and its doctor's cause. Devices, Discovery, the Executor and the terminal show it, so
 * that none of them calls a device live that another calls incomplete.
 */
export function deviceHealth(state: DeviceState, cause: DoctorCause | undefined): DeviceHealth {
  if (state === 'failed' && cause === 'refused') return 'refused';
  if (state !== 'ready' && state !== 'closed') return state;
  return worse.find((each) => each === cause) ?? state;
}
