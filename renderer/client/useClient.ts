import type { Client } from '../../src-core/rpc/client.ts';
import { injectConnection } from './connectionStore.ts';

/** Every procedure of the contract. For components: call it during setup. */
export function useClient(): Client {
  return injectConnection().client;
}
