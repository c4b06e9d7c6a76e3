import { RequestError } from '../../../base/requestError.ts';
import { isVirtualFault, virtualFaults, type VirtualFault } from './faults.ts';

/** Reads names of faults. @throws RequestError naming `faults` and the known ones. */
export function readFaults(names: readonly string[]): VirtualFault[] {
  return names.map((name) => {
    if (isVirtualFault(name)) return name;
    throw new RequestError(`There is no fault "${name}". Choose of: ${virtualFaults.join(', ')}.`, { field: 'faults' });
  });
}
