import type { Terminal } from '../../src-core/cli/terminal.ts';
import { createDownloadProgress } from './downloadProgress.ts';
import { downloadForbidden, findBinary, whyNoWindow } from './findElectron.ts';
import { installElectron } from './installElectron.ts';
import { projectPath } from './project.ts';
import { runElectron } from './runElectron.ts';
import { serveInstead, type NoWindow } from './serveInstead.ts';

/** How long the user waits for Electron before the workbench opens in the browser, in milliseconds. */
const patienceMs = 20_000;

/** Parts of the system, which tests replace. */
export interface StartOptions {
  terminal: Terminal;
  platform?: NodeJS.Platform;
  isRoot?: boolean;
  /** Folder of the electron package. */
  packageDir?: string;
  serve?: (options: NoWindow & { terminal: Terminal }) => Promise<number>;
}

/**
 * Opens the workbench in Electron and waits until it ends. Opens it in the browser if Electron cannot be installed or
 * started, or if its download takes longer than 20 seconds. Returns the exit code.
 */
export async function start(options: StartOptions): Promise<number> {
  const { terminal, platform = process.platform, isRoot = process.getuid?.() === 0 } = options;
  const { packageDir = projectPath('node_modules/electron'), serve = serveInstead } = options;
  const { env } = terminal;
  const openBrowser = (why: NoWindow): Promise<number> => serve({ ...why, terminal });

  const obstacle = whyNoWindow({ env, platform, isRoot });
  if (obstacle) return openBrowser(obstacle);

  let binary = findBinary({ env, platform, packageDir });
  if (!binary) {
    const forbidden = downloadForbidden(env);
    if (forbidden) return openBrowser(forbidden);
    const exitCode = await installOrServe({ terminal, platform, packageDir, openBrowser });
    if (exitCode !== undefined) return exitCode;
    binary = findBinary({ env, platform, packageDir });
    if (!binary) return openBrowser({ reason: "Electron's download does not contain its program" });
  }

  const end = await runElectron({ binary, terminal });
  return 'exitCode' in end ? end.exitCode : openBrowser(end);
}

/**
 * Installs Electron. If that fails or takes long, serves the workbench in the browser and returns the exit code. A
 * download that takes long continues while the workbench is served.
 */
async function installOrServe(options: {
  terminal: Terminal;
  platform: NodeJS.Platform;
  packageDir: string;
  openBrowser(why: NoWindow): Promise<number>;
}): Promise<number | undefined> {
  const { terminal, platform, packageDir, openBrowser } = options;
  const serveFailed = new AbortController();
  const signal = AbortSignal.any([terminal.ended, serveFailed.signal]);
  terminal.note('Installing Electron, once (a download of about 120 MB). Ctrl+C stops it.\n');
  const progress = createDownloadProgress(terminal);
  const installing = installElectron({ platform, packageDir, signal, onProgress: progress.update });

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, patienceMs, 'late')));
  const outcome = await Promise.race([installing, late]);
  clearTimeout(timer);
  progress.endLine();
  if (terminal.ended.aborted) {
    await installing;
    return 0;
  }
  if (outcome === 'installed') return undefined;
  if (outcome !== 'late') return openBrowser(outcome);

  const announced = installing.then((end) => {
    if (signal.aborted) return;
    if (end === 'installed')
      terminal.note(
        'Electron is installed. To open the window, stop this workbench with Ctrl+C, then run npm start.\n',
      );
    else terminal.note(`${end.reason}.\n${end.remedy ?? ''}`);
  });
  try {
    return await openBrowser({ reason: 'Electron is still being installed' });
  } catch (error) {
    serveFailed.abort();
    throw error;
  } finally {
    // After Ctrl+C this only waits until the download has been cancelled.
    await announced;
  }
}
