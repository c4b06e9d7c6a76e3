import { plainAddress } from '../../../server/address.ts';
import { createMachineCount } from '../../../server/machineCount.ts';
import type { RequestPolicy } from '../../../server/types.ts';
import type { IsLocal } from '../wire/devicePeer.ts';
import type { DeviceLimits } from '../limits.ts';

/** Counts and limits the connections of other machines whose hello has not been answered. */
export interface Crowd {
  /** Refuses an upgrade with 503 if a limit is reached. */
  policy: RequestPolicy;
  /** Counts a connection. The returned function ends that; a second call does nothing. */
  enter: (address: string) => () => void;
}

/** Makes the count. Connections of this machine are not counted: a thousand virtual devices may start at once. */
export function createCrowd(limits: DeviceLimits['maxUngreeted'], isLocal: IsLocal): Crowd {
  const crowd = createMachineCount();
  return {
    policy: ({ socket }) => {
      const address = plainAddress(socket.remoteAddress ?? '');
      const isFull = crowd.inAll() >= limits.inAll || crowd.of(address) >= limits.perMachine;
      if (!isFull || isLocal(address)) return undefined;
      return { status: 503, message: 'Too many connections wait for approval. Try again later.' };
    },
    enter: (address) => (isLocal(address) ? () => {} : crowd.add(address)),
  };
}
