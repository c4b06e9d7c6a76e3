import { setImmediate as nextTurn } from 'node:timers/promises';

import { RequestError } from '../../base/requestError.ts';
import type { WireStore } from '../../store/frameTypes.ts';

/** Gives a log that was set aside back to its device, and others their turn in between. */
export async function putLogBack(wire: Pick<WireStore, 'putBack'>, key: string, deviceId: string): Promise<void> {
  const steps = wire.putBack(key, deviceId);
  for (;;) {
    const { done, value } = steps.next();
    if (done !== true) await nextTurn();
    else if (value) return;
    else throw new RequestError('The limit for logs has let it go meanwhile.', { field: 'id' });
  }
}
