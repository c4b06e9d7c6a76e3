import type * as ElectronGet from '@electron/get';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { describeThrown } from '../../src-core/base/describeThrown.ts';
import type { Received } from './downloadProgress.ts';
import type { NoWindow } from './serveInstead.ts';

/** A download ends if no byte arrives for this long, in milliseconds. */
const stallMs = 60_000;

const remedy =
  'Each npm start tries the download again; npx install-electron --no downloads without starting the workbench.\n' +
  'If github.com is slow or blocked, set ELECTRON_MIRROR to the URL of a mirror of its Electron releases.\n' +
  'Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.\n';

/**
 * Downloads Electron into its download cache, then unpacks it into the electron package. Returns why that failed, and
 * never rejects. After an abort, no process and no partial download is left.
 */
export async function installElectron(options: {
  platform: NodeJS.Platform;
  /** Folder of the electron package. */
  packageDir: string;
  signal: AbortSignal;
  onProgress(received: Received): void;
}): Promise<'installed' | NoWindow> {
  const { platform, packageDir, signal, onProgress } = options;
  const arch = electronArch({ env: process.env, platform, nodeArch: process.arch, isTranslated });
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stallMs);
  try {
    await download({
      packageDir,
      platform,
      arch,
      signal: AbortSignal.any([signal, stalled.signal]),
      onProgress: (received) => {
        timer.refresh();
        onProgress(received);
      },
    });
    clearTimeout(timer);
    await unpack({ packageDir, platform, arch, signal });
    return 'installed';
  } catch (error) {
    const why = stalled.signal.aborted ? `nothing arrived for ${stallMs / 1000} s` : describeFailure(error);
    return { reason: `Electron could not be installed (${why})`, remedy };
  } finally {
    clearTimeout(timer);
  }
}

/** The processor that install.js chooses: on Apple silicon, x64 Node runs under Rosetta and gets Electron for arm64. */
export function electronArch(options: {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  nodeArch: string;
  isTranslated(): boolean;
}): string {
  const { env, platform, nodeArch, isTranslated } = options;
  const arch = env['ELECTRON_INSTALL_ARCH'] || env['npm_config_arch'] || nodeArch;
  const mayBeTranslated = platform === 'darwin' && arch === 'x64' && env['npm_config_arch'] === undefined;
  return mayBeTranslated && isTranslated() ? 'arm64' : arch;
}

/** Whether Rosetta runs this process. */
function isTranslated(): boolean {
  try {
    return execFileSync('sysctl', ['-in', 'sysctl.proc_translated'], { encoding: 'utf8' }).trim() === '1';
  } catch {
    return false;
  }
}

/** Downloads into the cache that install.js reads, with the same settings and the same check of the file's hash. */
async function download(options: {
  packageDir: string;
  platform: string;
  arch: string;
  signal: AbortSignal;
  onProgress(received: Received): void;
}): Promise<void> {
  const { packageDir, platform, arch, signal, onProgress } = options;
  const ofPackage = (name: string): string => join(packageDir, name);
  // The copy that install.js uses: another version might keep its cache in another place.
  const getUrl = pathToFileURL(createRequire(ofPackage('package.json')).resolve('@electron/get')).href;
  const { downloadArtifact } = (await import(getUrl)) as typeof ElectronGet;
  const { env } = process;
  const hasOwnChecksums = !env['electron_use_remote_checksums'] && !env['npm_config_electron_use_remote_checksums'];
  await downloadArtifact({
    version: (readJson(ofPackage('package.json')) as { version: string }).version,
    artifactName: 'electron',
    platform,
    arch,
    ...(env['electron_config_cache'] && { cacheRoot: env['electron_config_cache'] }),
    ...(hasOwnChecksums && { checksums: readJson(ofPackage('checksums.json')) as Record<string, string> }),
    downloadOptions: {
      signal,
      quiet: true,
      getProgressCallback: async (received: Received) => onProgress(received),
    },
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Runs Electron's own install.js, which finds the downloaded file in the cache. */
async function unpack(options: {
  packageDir: string;
  platform: string;
  arch: string;
  signal: AbortSignal;
}): Promise<void> {
  const { packageDir, platform, arch, signal } = options;
  signal.throwIfAborted();
  const installer = spawn(process.execPath, [join(packageDir, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // What was downloaded, so that it does not download anything else.
    env: {
      ...process.env,
      ELECTRON_INSTALL_PLATFORM: platform,
      ELECTRON_INSTALL_ARCH: arch,
      npm_config_arch: arch,
      force_no_cache: '',
    },
  });
  const stop = (): void => void installer.kill();
  signal.addEventListener('abort', stop);
  try {
    const [errors, [code]] = await Promise.all([text(installer.stderr), once(installer, 'exit')]);
    if (code !== 0) throw new Error(/^\w*Error\b.*/m.exec(errors)?.[0] ?? `install.js ended with ${code}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The root cause in one line: `fetch` hides it behind "fetch failed". */
function describeFailure(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  // If every address of a host refuses, the error has a code and an empty message.
  const message = describeThrown(cause instanceof AggregateError && !cause.message ? cause.errors[0] : cause);
  const [line = ''] = message.split('\n', 1);
  // The query of a redirected download is a signature of several hundred characters.
  return line.replace(/\?\S*/g, '');
}
