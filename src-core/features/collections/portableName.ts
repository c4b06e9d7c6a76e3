/** Names of Windows' devices: no file may have such a name, with any extension. */
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;
/** Bytes of a name on common file systems. */
const maxBytes = 255;

/** Why a file of that name could not be checked out on every system (Windows, macOS, Linux); undefined if it can. */
export function portabilityProblem(fileName: string): string | undefined {
  const odd = /[<>:"/\\|?*\p{Cc}\p{Cs}]/u.exec(fileName)?.[0];
  if (odd !== undefined) return `It contains ${JSON.stringify(odd)}, which is not valid in file names on every system.`;
  if (devices.test(fileName)) return 'Windows keeps that name for a device.';
  if (Buffer.byteLength(fileName) > maxBytes) return `It is too long for a file name: ${maxBytes} bytes at most.`;
  return undefined;
}
