import type { WireClose } from './deviceWire.ts';

/** How a device left, as a sentence: "书房音箱 closed the connection with code 1006". */
export function closeText(name: string, close: WireClose): string {
  if (close.ourReason !== undefined) return `The connection to ${name} was closed here: ${close.ourReason}`;
  if (close.error !== undefined && !('code' in close.error && close.error.code === 'ECONNRESET'))
    return `The connection to ${name} broke: ${close.error.message}`;
  return `${name} closed the connection with code ${close.code}`;
}
