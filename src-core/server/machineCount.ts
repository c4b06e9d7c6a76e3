import { machineOf } from './address.ts';

/** Counts by machine (`machineOf`). */
export interface MachineCount {
  /** The count of the machine that has this address. */
  of: (address: string) => number;
  inAll: () => number;
  /** Adds one. The returned function subtracts it; a second call does nothing. */
  add: (address: string) => () => void;
}

/** Makes a count. A machine whose count is 0 takes no memory. */
export function createMachineCount(): MachineCount {
  const counts = new Map<string, number>();
  let inAll = 0;
  const change = (machine: string, by: 1 | -1): void => {
    inAll += by;
    const count = (counts.get(machine) ?? 0) + by;
    if (count === 0) counts.delete(machine);
    else counts.set(machine, count);
  };
  return {
    of: (address) => counts.get(machineOf(address)) ?? 0,
    inAll: () => inAll,
    add: (address) => {
      const machine = machineOf(address);
      change(machine, 1);
      let isIn = true;
      return () => {
        if (isIn) change(machine, -1);
        isIn = false;
      };
    },
  };
}
