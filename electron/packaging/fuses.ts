import { FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * Every fuse of the installed Electron. `strictlyRequireAllFuses` fails the build if Electron has a fuse that is
 * missing here. Because the object is keyed by number, a missing fuse does not compile either.
 */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // The command `toolwire` runs in Electron as Node (packaging/bin). SECURITY.md states what it allows.
  [FuseV1Options.RunAsNode]: true,
  // The app has no cookies. If on, Chromium asks the keychain for a key at each start, and it cannot be turned off.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  // A released app accepts no debugger. Playwright therefore drives the Electron from npm (docs/releasing.md).
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // We ship no such snapshot.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The window is served over app://.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default. libopus runs as WebAssembly and is faster with it.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseV1Config;
