/** Shorter ones could be part of anything, and a server's error would be cut to pieces. */
const shortestSecret = 8;

/** The text with the key taken out of it: servers repeat it in their errors. */
export function maskKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < shortestSecret ? text : text.replaceAll(key, '•••');
}
