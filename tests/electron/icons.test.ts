import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string): Buffer => readFileSync(join('electron/icons', name));

test('each picture has the size in its name', () => {
  const pictures = readdirSync('electron/icons').filter((name) => name.endsWith('.png'));
  const sizes = pictures.map((name) => {
    const png = read(name);
    // The width and height of a PNG are at 16 and 20.
    expect(name).toBe(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}.png`);
    return png.readUInt32BE(16);
  });
  expect(sizes.sort((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
});

test('the icon for macOS is whole and has pictures up to 1024 pixels', () => {
  const icns = read('icon.icns');
  expect(icns.toString('latin1', 0, 4)).toBe('icns');
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const types: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) types.push(icns.toString('latin1', at, at + 4));
  expect(types).toEqual(expect.arrayContaining(['ic07', 'ic08', 'ic09', 'ic10', 'ic11', 'ic12', 'ic13', 'ic14']));
});

test('the icon for Windows is whole and has pictures from 16 to 256 pixels', () => {
  const ico = read('icon.ico');
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1]);
  const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
  // A width of 256 is written as 0.
  const sizes = entries.map((entry) => ico.readUInt8(entry) || 256);
  expect(sizes).toEqual(expect.arrayContaining([16, 24, 32, 48, 64, 128, 256]));
  const ends = entries.map((entry) => ico.readUInt32LE(entry + 8) + ico.readUInt32LE(entry + 12));
  expect(Math.max(...ends)).toBe(ico.length);
});
