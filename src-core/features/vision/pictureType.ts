/** First bytes of the kinds of pictures that a page and a model show; a device's word about them counts for nothing. */
const kinds: readonly { mediaType: string; begins: (data: Buffer) => boolean }[] = [
  { mediaType: 'image/jpeg', begins: (data) => data.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { mediaType: 'image/png', begins: (data) => data.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n' },
  { mediaType: 'image/gif', begins: (data) => /^GIF8[79]a$/.test(data.toString('latin1', 0, 6)) },
  {
    mediaType: 'image/webp',
    begins: (data) => data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP',
  },
];

/** `image/jpeg`, `image/png`, `image/gif` or `image/webp` by the first bytes; `undefined` for anything else. */
export function pictureTypeOf(data: Buffer): string | undefined {
  return kinds.find(({ begins }) => begins(data))?.mediaType;
}
