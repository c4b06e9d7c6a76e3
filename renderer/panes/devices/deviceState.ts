import type { DeviceState } from '../../../src-core/api/types.ts';

/** The colour of a device's state. */
export const deviceStateKind: Record<DeviceState, 'ok' | 'pending' | 'plain' | 'error'> = {
  hello: 'pending',
  initializing: 'pending',
  listing: 'pending',
  ready: 'ok',
  closed: 'plain',
  failed: 'error',
};
