/**
 * `node electron/icons/make.ts`: draws the app's icons from renderer/public/favicon.svg with the Chromium of the tests, and
 * puts them into the containers that the systems want. The results are in git; run it after a change of the drawing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { chromiumFlags, findChromium } from '../../tests/e2e/chromium.ts';
import { icnsFile, icoFile, type Picture } from './containers.ts';

/** Edges in pixels; `N.png` is how electron-builder names them for Linux. */
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const svg = readFileSync('renderer/public/favicon.svg', 'utf8');
const dir = 'electron/icons';
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium here: npm test gets one');

const browser = await chromium.launch({ executablePath, args: chromiumFlags });
const page = await browser.newPage();
const pictures: Picture[] = [];
for (const size of sizes) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  pictures.push({ size, png: await page.screenshot({ omitBackground: true }) });
}
await browser.close();

mkdirSync(dir, { recursive: true });
for (const { size, png } of pictures) writeFileSync(join(dir, `${size}x${size}.png`), png);
writeFileSync(join(dir, 'icon.icns'), icnsFile(pictures));
writeFileSync(join(dir, 'icon.ico'), icoFile(pictures));
