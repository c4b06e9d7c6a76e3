/** Counts by address. */
export interface AddressCount {
  of: (address: string) => number;
  inAll: () => number;
  /** Counts one in; the returned function counts it out, once. */
  add: (address: string) => () => void;
}

/** Makes a count; it keeps nothing of an address that counts none. */
export function createAddressCount(): AddressCount {
  const counts = new Map<string, number>();
  let inAll = 0;
  const change = (address: string, by: 1 | -1): void => {
    inAll += by;
    const count = (counts.get(address) ?? 0) + by;
    if (count === 0) counts.delete(address);
    else counts.set(address, count);
  };
  return {
    of: (address) => counts.get(address) ?? 0,
    inAll: () => inAll,
    add: (address) => {
      change(address, 1);
      let isIn = true;
      return () => {
        if (isIn) change(address, -1);
        isIn = false;
      };
    },
  };
}
