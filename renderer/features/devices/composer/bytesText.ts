/** How bytes are written. */
export type BytesNotation = 'hex' | 'base64';

/** What a text means as bytes, or that it means none. */
export function readBytes(text: string, notation: BytesNotation): { base64: string; bytes: number } | undefined {
  const tight = text.replaceAll(/\s+/g, '');
  if (notation === 'hex') {
    const digits = tight.replaceAll(/0x|[,:-]/gi, '');
    if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined;
    const pairs = digits.match(/../g) ?? [];
    const base64 = btoa(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(''));
    return { base64, bytes: pairs.length };
  }
  const plain = /^[\da-z+/]*(?==*$)/i.exec(tight.replaceAll('-', '+').replaceAll('_', '/'))?.[0];
  if (plain === undefined || plain.length % 4 === 1) return undefined;
  return { base64: plain.padEnd(Math.ceil(plain.length / 4) * 4, '='), bytes: Math.floor((plain.length * 3) / 4) };
}
