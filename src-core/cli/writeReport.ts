import { access, constants, lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { toJUnit } from '../features/collections/junit.ts';
import type { RunReport } from '../features/collections/report.ts';
import { writeWhole } from '../features/collections/writeWhole.ts';
import { describeThrown } from '../base/describeThrown.ts';

/**
 * Puts a report that says that the run did not end where the one of the last run may still be: whatever ends this one, no
 * report is better than it was. Into a pipe or a device it writes nothing. @throws Error that names the file, and why.
 */
export async function beginReport(path: string): Promise<void> {
  await saying(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const there = await stat(path).catch(missing);
    if (there === undefined || there.isFile()) await put(path, [unended()]);
    else if (there.isDirectory())
      await writeFile(path, ''); // It says why that cannot be.
    else await access(path, constants.W_OK);
  });
}

/** Writes runs as JUnit XML. @throws Error that names the file, and why. */
export async function writeReport(path: string, runs: readonly RunReport[]): Promise<void> {
  await saying(path, () => put(path, runs));
}

/** Whole, or not at all; but what is not a regular file (a link, a pipe) stays what it is. */
async function put(path: string, runs: readonly RunReport[]): Promise<void> {
  const there = await lstat(path).catch(missing);
  if (there === undefined || there.isFile()) await writeWhole(path, toJUnit(runs), { isNew: false });
  else await writeFile(path, toJUnit(runs));
}

function unended(): RunReport {
  const error = 'The run ended before its report was written.';
  return { name: 'toolwire test', startedAt: Date.now(), calls: [], error };
}

async function saying(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new Error(`The report cannot be written to ${path}: ${describeThrown(cause)}`, { cause });
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
