/**
 * An id for a device's ToolRegistry: the board's name and its Device-Id, of a MAC address only the end, in characters that stand
 * unquoted in any prompt (`esp32-s3-box-aabbcc`). The same device gets the same id each time it connects, unless
 * another holds it.
 */
export function registryIdFor(options: { board: string; deviceId: string; isTaken: (id: string) => boolean }): string {
  const { board, deviceId, isTaken } = options;
  const stem = slug(board, 40) || 'device';
  const key = slug(deviceId, 64).replaceAll('-', '') || 'unnamed';
  for (const length of /^[0-9a-f]{12}$/.test(key) ? [6, 12] : [64]) {
    const id = `${stem}-${key.slice(-length)}`;
    if (!isTaken(id)) return id;
  }
  let number = 2;
  while (isTaken(`${stem}-${key}-${number}`)) number += 1;
  return `${stem}-${key}-${number}`;
}

function slug(text: string, maxLength: number): string {
  return text
    .toLowerCase()
    .slice(0, 256)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
}
