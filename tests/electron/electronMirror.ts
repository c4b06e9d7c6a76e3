/** A mirror of Electron's releases on the loopback interface, and an electron package whose install.js unpacks from it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { onTestFinished, vi } from 'vitest';

import { testFolder, writeFiles } from './testFiles.ts';

const electron = resolve('node_modules/electron');
const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')) as { version: string };

/** What Electron's zip for this system contains, as far as install.js is concerned. */
export const electronZip = zipOf({ electron: '#!/bin/sh\nexit 3\n', version });

/**
 * Electron's own package without its program; its checksum is that of `zip`. `downloads` lists the files and folders
 * that downloads have left, partial ones included.
 */
export function electronPackage(zip = electronZip): { packageDir: string; downloads(): string[] } {
  const packageDir = testFolder();
  for (const name of ['install.js', 'package.json']) copyFileSync(join(electron, name), join(packageDir, name));
  const name = `electron-v${version}-linux-${process.arch}.zip`;
  const checksum = createHash('sha256').update(zip).digest('hex');
  writeFiles(packageDir, { 'checksums.json': JSON.stringify({ [name]: checksum }) });
  symlinkSync(resolve('node_modules'), join(packageDir, 'node_modules'), 'junction');
  const [cacheDir, tempDir] = [testFolder(), testFolder()];
  vi.stubEnv('electron_config_cache', cacheDir);
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, tempDir);
  onTestFinished(() => void vi.unstubAllEnvs());
  const ofDownload = (name: string): boolean => name.startsWith('electron-download');
  return { packageDir, downloads: () => [...readdirSync(cacheDir), ...readdirSync(tempDir).filter(ofDownload)] };
}

/** Starts a mirror and names it in ELECTRON_MIRROR. Counts the requests, and the answers that the client broke off. */
export async function startMirror(
  answer: (response: ServerResponse) => void,
): Promise<{ requests: number; brokenOff: number; port: number }> {
  const mirror = { requests: 0, brokenOff: 0, port: 0 };
  const server = createServer((_request, response) => {
    mirror.requests++;
    response.on('close', () => (mirror.brokenOff += response.writableFinished ? 0 : 1));
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  mirror.port = (server.address() as AddressInfo).port;
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${mirror.port}/`);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return mirror;
}

/** A zip of executable files, not compressed. */
function zipOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    // Version, flags, method, time, date, CRC, two sizes, two lengths: the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100755 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeByUnix = Buffer.from([20, 3]);
    directory.push(Buffer.from('PK\x01\x02'), madeByUnix, common, rest, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}
