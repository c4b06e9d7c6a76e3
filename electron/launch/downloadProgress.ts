import type { Terminal } from '../../src-core/cli/terminal.ts';

/** Bytes received so far, and bytes in all if the server states them. */
export interface Received {
  transferred: number;
  total: number | null;
}

/** What shows a download in the terminal. */
export interface DownloadProgress {
  update(received: Received): void;
  /** Ends the line that is updated in place; later updates are lines of their own. */
  endLine(): void;
}

const megabyte = 1_000_000;

/**
 * Shows a download of Electron: one line that is updated in place if a user reads it, else a line for each tenth of the
 * download, or for each 10 MB if its size is unknown.
 */
export function createDownloadProgress(
  terminal: Pick<Terminal, 'interactive' | 'note' | 'replaceLine'>,
): DownloadProgress {
  let inPlace = terminal.interactive && terminal.replaceLine !== undefined;
  let shown = '';
  let shownTenth = 0;
  return {
    update(received) {
      const { transferred, total } = received;
      const line = progressLine(received);
      const tenth = Math.floor(total ? (10 * transferred) / total : transferred / (10 * megabyte));
      if (inPlace ? line === shown : tenth === shownTenth) return;
      if (inPlace) terminal.replaceLine?.(line);
      else terminal.note(`${line}\n`);
      shown = line;
      shownTenth = tenth;
    },
    endLine() {
      if (inPlace && shown) terminal.note('\n');
      inPlace = false;
    },
  };
}

function progressLine({ transferred, total }: Received): string {
  const megabytes = (bytes: number): number => Math.floor(bytes / megabyte);
  if (!total) return `Downloading Electron: ${megabytes(transferred)} MB`;
  const percent = Math.floor((100 * transferred) / total);
  return `Downloading Electron: ${megabytes(transferred)} of ${megabytes(total)} MB (${percent} %)`;
}
