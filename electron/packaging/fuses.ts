import { FuseV1Options, FuseVersion, type FuseV1Config } from '@electron/fuses';

/**
 * Every fuse of the Electron that is installed. `strictlyRequireAllFuses` fails the build where Electron has one that is
 * not stated here; a list by number does not compile without one.
 */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Nobody runs scripts with our signature.
  [FuseV1Options.RunAsNode]: false,
  // The app has no cookies. Once on, Chromium asks the keychain for a key at each start, and the fuse cannot be turned off again.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  // No debugger at a released app; Playwright therefore drives the Electron of npm (docs/releasing.md).
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // There is no such snapshot of ours.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The window is served by app://.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: libopus runs as WebAssembly, and faster with it.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseV1Config;
