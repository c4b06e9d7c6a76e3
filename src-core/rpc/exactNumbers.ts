import { exactNumber, isExactNumber } from '../base/exactNumber.ts';

/**
 * How numbers that no double holds cross the contract, as both its sides have to be told: as their text. oRPC itself would
 * take them for objects. The type is a number of ours: oRPC has those up to 20 for itself.
 */
export const exactNumbers = [
  {
    type: 21,
    condition: isExactNumber,
    serialize: (number: unknown): string => JSON.stringify(number),
    deserialize: (text: unknown): unknown => exactNumber(String(text)),
  },
];
