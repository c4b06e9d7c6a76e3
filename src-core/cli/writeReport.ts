import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { toJUnit } from '../collections/junit.ts';
import type { RunReport } from '../collections/report.ts';
import { describeThrown } from '../tools/describeThrown.ts';

/** Writes runs as JUnit XML, its folder too where there is none. @throws Error that names the file, and why. */
export async function writeReport(path: string, runs: readonly RunReport[]): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, toJUnit(runs));
  } catch (cause) {
    throw new Error(`The report cannot be written to ${path}: ${describeThrown(cause)}`, { cause });
  }
}
