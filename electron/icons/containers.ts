/** A square picture: its edge in pixels and its PNG file. */
export interface Picture {
  size: number;
  png: Buffer;
}

/** Apple's four letters for PNG pictures, by edge; the second of a pair is the double-density one of half the size. */
const icnsTypes: Record<number, string[]> = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['icp6', 'ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

/** Windows takes no picture above this edge. */
const largestIco = 256;

/** An Apple icon: `icns`, the length of all, then each picture as its letters, its length with these eight bytes, its PNG. */
export function icnsFile(pictures: readonly Picture[]): Buffer {
  const parts = pictures.flatMap(({ size, png }) => (icnsTypes[size] ?? []).map((type) => chunk(type, png)));
  return chunk('icns', Buffer.concat(parts));
}

function chunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

/** A Windows icon: a directory of sixteen bytes a picture, then the PNG files; an edge of 256 is written as 0. */
export function icoFile(pictures: readonly Picture[]): Buffer {
  const taken = pictures.filter(({ size }) => size <= largestIco);
  const head = Buffer.alloc(6 + 16 * taken.length);
  head.writeUInt16LE(1, 2); // an icon, not a cursor
  head.writeUInt16LE(taken.length, 4);
  let offset = head.length;
  taken.forEach(({ size, png }, at) => {
    const entry = 6 + 16 * at;
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4); // planes
    head.writeUInt16LE(32, entry + 6); // bits a pixel
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...taken.map(({ png }) => png)]);
}
