/** What can be wrong with a virtual device, to see how a server takes it. */
export const virtualFaults = Object.freeze([
  'slow',
  'silent',
  'garbage',
  'crash-on-call',
  'wrong-pages',
  'disconnect-half-way',
] as const);

export type VirtualFault = (typeof virtualFaults)[number];

export function isVirtualFault(name: string): name is VirtualFault {
  return (virtualFaults as readonly string[]).includes(name);
}
