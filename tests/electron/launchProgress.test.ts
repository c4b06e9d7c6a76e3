import { expect, test } from 'vitest';

import { createDownloadProgress } from '../../electron/launch/downloadProgress.ts';
import { testTerminal } from './testTerminal.ts';

const total = 120_000_000;

test('in a terminal one line is updated in place, once for each percent or megabyte', () => {
  const terminal = testTerminal({ interactive: true });
  const progress = createDownloadProgress(terminal);
  for (const transferred of [1_199_999, 1_199_999, 1_200_000, 2_500_000]) progress.update({ transferred, total });
  progress.endLine();
  expect(terminal.notes).toBe(
    [
      '\rDownloading Electron: 1 of 120 MB (0 %)\x1b[K',
      '\rDownloading Electron: 1 of 120 MB (1 %)\x1b[K',
      '\rDownloading Electron: 2 of 120 MB (2 %)\x1b[K\n',
    ].join(''),
  );
});

test('in a log there is a line for each tenth, however many pieces arrive', () => {
  const terminal = testTerminal();
  const progress = createDownloadProgress(terminal);
  for (let transferred = 0; transferred <= total; transferred += 100_000) progress.update({ transferred, total });
  const lines = terminal.notes.trimEnd().split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('Downloading Electron: 12 of 120 MB (10 %)');
  expect(lines[9]).toBe('Downloading Electron: 120 of 120 MB (100 %)');
});

test('after the line has ended, the rest is a log', () => {
  const terminal = testTerminal({ interactive: true });
  const progress = createDownloadProgress(terminal);
  progress.update({ transferred: 1_200_000, total });
  progress.endLine();
  for (const transferred of [2_400_000, 12_000_000]) progress.update({ transferred, total });
  expect(terminal.notes.split('\n').slice(1)).toEqual(['Downloading Electron: 12 of 120 MB (10 %)', '']);
});

test('without a known size there is a line for each 10 MB', () => {
  const terminal = testTerminal();
  const progress = createDownloadProgress(terminal);
  for (const transferred of [5_000_000, 10_000_000, 15_000_000, 20_000_000])
    progress.update({ transferred, total: null });
  expect(terminal.notes).toBe('Downloading Electron: 10 MB\nDownloading Electron: 20 MB\n');
});
