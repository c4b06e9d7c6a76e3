import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Clock } from '../base/clock.ts';

/** ms until a file is removed that no browser opened. The first start of a browser from a Snap takes up to 30 s. */
const keepMs = 60_000;

/** Files that forward a browser to a link. */
export interface LinkFiles {
  /**
   * Writes a file for one link and returns the `file:` URL.
   * @param createLink Makes the link. Calls `onSpent` once the link opens nothing any more; this removes the file.
   * @throws Error of the file system
   */
  create(createLink: (onSpent: () => void) => string): string;
  /** Removes the files. */
  close(): void;
}

/**
 * Keeps files with mode 0600 in `folder` until their links are opened, at most for a minute. Removes the files that a
 * killed process left there.
 */
export function createLinkFiles(options: {
  folder: string;
  clock: Clock;
  onError: (error: unknown) => void;
}): LinkFiles {
  const removals = new Set<() => void>();
  try {
    removeLeftFiles(options.folder, options.clock.wall() - keepMs);
  } catch (error) {
    options.onError(error);
  }

  function create(createLink: (onSpent: () => void) => string): string {
    const path = join(options.folder, `toolwire-open-${randomBytes(8).toString('hex')}.html`);
    const remove = (): void => {
      try {
        rmSync(path, { force: true });
      } catch (error) {
        options.onError(error);
        return;
      }
      removals.delete(remove);
      cancel();
    };
    const cancel = options.clock.after(keepMs, remove);
    removals.add(remove);
    try {
      writeFileSync(path, forwardingPage(createLink(remove)), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      remove();
      throw error;
    }
    return pathToFileURL(path).href;
  }

  return {
    create,
    close() {
      for (const remove of removals) remove();
    },
  };
}

/** Removes files of this module that belong to this user and were written before `before`, in epoch ms. */
function removeLeftFiles(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^toolwire-open-[0-9a-f]{16}\.html$/.test(name)) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.mtimeMs >= before) continue;
    if (process.getuid === undefined || stats.uid === process.getuid()) rmSync(path, { force: true });
  }
}

/**
 * A folder that the user's browser can read. On Linux, a browser from a Snap can read neither hidden folders nor the
 * system's temporary folder. On macOS and Windows, the temporary folder belongs to the user.
 */
export function linkFolder(platform: NodeJS.Platform = process.platform): string {
  return platform === 'darwin' || platform === 'win32' ? tmpdir() : homedir();
}

/** `link` consists of characters that HTML does not escape. */
function forwardingPage(link: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Toolwire</title>
<a href="${link}">Toolwire</a>
</html>
`;
}
