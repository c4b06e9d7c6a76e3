import { RequestError } from '../../base/requestError.ts';
import type { WireStore } from '../../store/frameTypes.ts';

/** Returns a log that was set aside to its device. */
export async function putLogBack(wire: Pick<WireStore, 'putBack'>, key: string, deviceId: string): Promise<void> {
  let isBack: boolean | 'more' = 'more';
  while (isBack === 'more') isBack = await wire.putBack(key, deviceId);
  if (isBack) return;
  throw new RequestError('The limit for logs has let it go meanwhile.', { field: 'id' });
}
