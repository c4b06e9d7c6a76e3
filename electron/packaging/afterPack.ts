/**
 * electron-builder's hook between packing and signing: blows the fuses. Here, not by its `electronFuses`, since the list
 * that electron-builder brings along has one fuse fewer than Electron.
 */
import { flipFuses } from '@electron/fuses';
import { join } from 'node:path';

import { fuses } from './fuses.ts';

/** What we read of electron-builder's `AfterPackContext`. */
interface Packed {
  appOutDir: string;
  /** `linux`, `darwin` or `win32`. */
  electronPlatformName: string;
  packager: { appInfo: { productFilename: string }; executableName?: string };
}

export async function afterPack({ appOutDir, electronPlatformName, packager }: Packed): Promise<void> {
  const name = packager.appInfo.productFilename;
  const files: Record<string, string> = {
    linux: packager.executableName ?? name,
    darwin: `${name}.app`,
    win32: `${name}.exe`,
  };
  const file = files[electronPlatformName];
  if (file === undefined) throw new Error(`No fuses are known for "${electronPlatformName}".`);
  await flipFuses(join(appOutDir, file), fuses);
}
