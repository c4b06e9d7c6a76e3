import type { DeviceState } from '../../../src-core/api/types.ts';

/** The colour of a device's state. */
export const deviceStateKind: Record<DeviceState, 'ok' | 'pending' | 'plain' | 'error' | 'info' | 'warn'> = {
  announced: 'info',
  hello: 'pending',
  approval: 'warn',
  initializing: 'pending',
  listing: 'pending',
  ready: 'ok',
  closed: 'plain',
  failed: 'error',
};
