import { RequestError } from '../../tools/requestError.ts';
import type { VirtualProfile } from './profile.ts';
import { esp32S3Box } from './profiles/esp32S3Box.ts';
import { createVirtualDevice } from './virtualDevice.ts';
import type { VirtualDevice, VirtualDeviceOptions } from './virtualDevice.ts';

/** Makes a device of one profile; the profile's own state type stays inside. */
type Maker = (options: Omit<VirtualDeviceOptions<never>, 'profile'>) => VirtualDevice;

const makers = new Map<string, Maker>([entry(esp32S3Box)]);

/** Ids of the kinds of virtual device there are; the first is what one gets unasked. */
export const virtualProfileIds: readonly string[] = [...makers.keys()];

/**
 * Makes a virtual device of a named profile, the first one unless told.
 * @throws RequestError naming `profile` and the known ids.
 */
export function createVirtualDeviceOf(
  profile: string | undefined,
  options: Omit<VirtualDeviceOptions<never>, 'profile'>,
): VirtualDevice {
  const id = profile ?? virtualProfileIds[0] ?? '';
  const maker = makers.get(id);
  if (maker) return maker(options);
  throw new RequestError(`There is no virtual device "${id}". Choose one of: ${virtualProfileIds.join(', ')}.`, {
    field: 'profile',
  });
}

function entry<State>(profile: VirtualProfile<State>): [string, Maker] {
  return [profile.id, (options) => createVirtualDevice({ ...options, profile })];
}
