import { plainAddress } from '../server/address.ts';
import type { RequestPolicy } from '../server/types.ts';
import type { IsLocal } from './devicePeer.ts';
import type { DeviceLimits } from './limits.ts';

/** Counts the connections of other machines whose hello is not answered, so that none of them can fill the house. */
export interface Crowd {
  /** Turns a connection away before it is one. */
  policy: RequestPolicy;
  /** Counts one in; the returned function counts it out, once. */
  enter: (address: string) => () => void;
}

/** Makes the count. Connections of this machine are not in it: a thousand devices may start here at once. */
export function createCrowd(limits: DeviceLimits['maxUngreeted'], isLocal: IsLocal): Crowd {
  const byAddress = new Map<string, number>();
  let inAll = 0;
  return {
    policy: ({ socket }) => {
      const address = plainAddress(socket.remoteAddress ?? '');
      const isFull = inAll >= limits.inAll || (byAddress.get(address) ?? 0) >= limits.perAddress;
      if (!isFull || isLocal(address)) return undefined;
      return { status: 503, message: 'Too many connections that have not been let in. Try again later.' };
    },
    enter: (address) => {
      if (isLocal(address)) return () => {};
      byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
      inAll += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        inAll -= 1;
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left === 0) byAddress.delete(address);
        else byAddress.set(address, left);
      };
    },
  };
}
