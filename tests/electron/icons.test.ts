import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { icnsFile, icoFile } from '../../electron/icons/containers.ts';

test('the icons in git are of the pictures in git', () => {
  const pictures = readdirSync('electron/icons')
    .filter((name) => name.endsWith('.png'))
    .map((name) => ({ size: Number.parseInt(name, 10), png: readFileSync(join('electron/icons', name)) }))
    .sort((a, b) => a.size - b.size);
  expect(pictures.map(({ size }) => size)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
  // The width and height of a PNG stand at 16 and 20.
  for (const { size, png } of pictures) expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  expect(icnsFile(pictures).equals(readFileSync('electron/icons/icon.icns'))).toBe(true);
  expect(icoFile(pictures).equals(readFileSync('electron/icons/icon.ico'))).toBe(true);
});
