/** Names of Windows' devices: no file may be called so, whatever its ending. */
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;
/** Bytes of a name on the usual disks. */
const maxBytes = 255;

/** Why a file of that name could not be checked out on every system (Windows, macOS, Linux); undefined where it can. */
export function portabilityProblem(fileName: string): string | undefined {
  const odd = /[<>:"/\\|?*\p{Cc}\p{Cs}]/u.exec(fileName)?.[0];
  if (odd !== undefined) return `It holds ${JSON.stringify(odd)}, which file names cannot hold everywhere.`;
  if (devices.test(fileName)) return 'Windows keeps that name for a device.';
  if (Buffer.byteLength(fileName) > maxBytes) return `It is longer than file names can be: ${maxBytes} bytes at most.`;
  return undefined;
}
