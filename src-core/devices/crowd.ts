import { plainAddress } from '../server/address.ts';
import { createAddressCount } from '../server/addressCount.ts';
import type { RequestPolicy } from '../server/types.ts';
import type { IsLocal } from './devicePeer.ts';
import type { DeviceLimits } from './limits.ts';

/** The connections of other machines whose hello is not answered: none of them may fill the house. */
export interface Crowd {
  /** Turns a connection away before it is one. */
  policy: RequestPolicy;
  /** Counts one in; the returned function counts it out, once. */
  enter: (address: string) => () => void;
}

/** Makes the count. Connections of this machine are not in it: a thousand devices may start here at once. */
export function createCrowd(limits: DeviceLimits['maxUngreeted'], isLocal: IsLocal): Crowd {
  const crowd = createAddressCount();
  return {
    policy: ({ socket }) => {
      const address = plainAddress(socket.remoteAddress ?? '');
      const isFull = crowd.inAll() >= limits.inAll || crowd.of(address) >= limits.perAddress;
      if (!isFull || isLocal(address)) return undefined;
      return { status: 503, message: 'Too many connections that have not been let in. Try again later.' };
    },
    enter: (address) => (isLocal(address) ? () => {} : crowd.add(address)),
  };
}
