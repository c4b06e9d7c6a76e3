/**
 * electron-builder's hook between packing and signing: sets the fuses. electron-builder's `electronFuses` option is not
 * used, because its list has one fuse fewer than Electron.
 */
import { flipFuses } from '@electron/fuses';
import { join } from 'node:path';

import { fuses } from './fuses.ts';

/** `Arch.arm64` of electron-builder. */
const arm64 = 3;

/** What we read of electron-builder's `AfterPackContext`. */
interface Packed {
  appOutDir: string;
  /** `linux`, `darwin` or `win32`. */
  electronPlatformName: string;
  /** electron-builder's number of the architecture. */
  arch: number;
  packager: { appInfo: { productFilename: string }; executableName?: string };
}

export async function afterPack({ appOutDir, electronPlatformName, arch, packager }: Packed): Promise<void> {
  const name = packager.appInfo.productFilename;
  const files: Record<string, string> = {
    linux: packager.executableName ?? name,
    darwin: `${name}.app`,
    win32: `${name}.exe`,
  };
  const file = files[electronPlatformName];
  if (file === undefined) throw new Error(`No fuses are known for "${electronPlatformName}".`);
  await flipFuses(join(appOutDir, file), {
    ...fuses,
    // Apple silicon does not start a binary with a broken signature. A certificate's signature, if any, comes later.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && arch === arm64,
  });
}
