import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';

import { workPool } from '../../../base/workPool.ts';
import type { ChildEnd } from '../../../base/workChild.ts';
import type { ConformanceCheck, ConformanceRevision } from '../../../contract/conformance.ts';
import { longestNote } from '../../../mcp/readMessages.ts';

const heapMb = 512;
/** ms that a scenario may take. */
const scenarioMs = 15_000;
/** ms between looks at the folder of the results. */
const lookMs = 50;
const maxResultBytes = 8_000_000;
const maxChecks = 200;

/** A scenario that has ended. */
export interface SuiteResult {
  scenario: string;
  /** Epoch ms. */
  startedAt: number;
  endedAt: number;
  checks: ConformanceCheck[];
}

const checkSchema = z.object({
  id: z.string(),
  description: z.string().default(''),
  status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
  errorMessage: z.string().optional(),
  specReferences: z.array(z.object({ id: z.string(), url: z.string().default('') })).default([]),
  details: z.unknown().optional(),
});

/**
 * Runs the suite in a separate process against a URL of this computer: all scenarios of a revision, or one. Resolves when it has
 * ended. @throws {Error} If the process ends before it has run a scenario, or the signal aborts.
 */
export async function runSuiteProcess(options: {
  url: string;
  revision: ConformanceRevision;
  scenario?: string;
  onStart(scenario: string): void;
  onResult(result: SuiteResult): void;
  signal: AbortSignal;
}): Promise<void> {
  const { url, revision, scenario, signal } = options;
  signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'toolwire-suite-'));
  const reader = createResultReader(folder, options);
  const ended = Promise.withResolvers<ChildEnd>();
  const child = workPool.startChild({ heapMb, onMessage: () => undefined, onEnd: ended.resolve });
  const kill = (): void => child.kill();
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  try {
    child.setNeeded(true);
    const what =
      scenario === undefined
        ? ['--requirements', revision]
        : ['--scenario', scenario, '--spec-version', revision, '--force'];
    child.send({
      program: 'conformance',
      args: ['server', '--url', url, '-o', folder, '--timeout', String(scenarioMs), ...what],
    });
    let end: ChildEnd | undefined;
    void ended.promise.then((how) => (end = how));
    while (end === undefined) {
      await Promise.race([ended.promise, setTimeout(lookMs)]);
      await reader.look();
    }
    // A scenario that was cancelled has not failed.
    signal.throwIfAborted();
    await reader.finish();
    if (reader.count() === 0) throw new Error(`The conformance suite could not run: ${end.how}`);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended.promise;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Reads what the suite writes: a folder per scenario, named by it and by the time of its start, with the checks once it has ended. */
function createResultReader(
  folder: string,
  { onStart, onResult }: { onStart(scenario: string): void; onResult(result: SuiteResult): void },
): { look(): Promise<void>; finish(): Promise<void>; count(): number } {
  const started = new Set<string>();
  const done = new Set<string>();

  async function look(): Promise<void> {
    const names = (await readdir(folder)).map((name) => ({ name, ...partsOf(name) }));
    names.sort((a, b) => a.startedAt - b.startedAt);
    for (const { name, scenario, startedAt } of names) {
      if (!started.has(name)) onStart(scenario);
      started.add(name);
      if (done.has(name)) continue;
      const checks = await readChecks(join(folder, name, 'checks.json'));
      if (checks === undefined) continue;
      done.add(name);
      onResult({ scenario, startedAt, endedAt: Date.now(), checks });
    }
  }

  return {
    look,
    /** The suite writes nothing of a scenario that it could not run. */
    async finish() {
      await look();
      for (const name of started) {
        if (done.has(name)) continue;
        const { scenario, startedAt } = partsOf(name);
        done.add(name);
        const description = 'The suite could not run this scenario to its end.';
        onResult({
          scenario,
          startedAt,
          endedAt: Date.now(),
          checks: [{ id: scenario, description, status: 'failure', references: [] }],
        });
      }
    },
    count: () => done.size,
  };
}

/** `server-ping-2026-11-27T08-14-45-087Z`. */
function partsOf(name: string): { scenario: string; startedAt: number } {
  const match = /^server-(.+)-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/.exec(name);
  if (match === null) return { scenario: name, startedAt: Date.now() };
  const [, scenario = '', hour, minute, second, ms] = match;
  return { scenario, startedAt: Date.parse(`${hour}:${minute}:${second}.${ms}`) };
}

/** Undefined while the suite writes it. */
async function readChecks(file: string): Promise<ConformanceCheck[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text.length > maxResultBytes)
    return [{ id: 'size', description: 'The result is too long to be read.', status: 'failure', references: [] }];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return z.array(checkSchema).parse(json).slice(0, maxChecks).map(toCheck);
}

function toCheck({
  id,
  description,
  status,
  errorMessage,
  specReferences,
  details,
}: z.infer<typeof checkSchema>): ConformanceCheck {
  const isEmpty = details === undefined || JSON.stringify(details) === '{}';
  return {
    id: id.slice(0, 200),
    description: description.slice(0, longestNote),
    status: status.toLowerCase() as ConformanceCheck['status'],
    ...(errorMessage !== undefined && { message: errorMessage.slice(0, longestNote) }),
    references: specReferences
      .slice(0, 20)
      .map((each) => ({ id: each.id.slice(0, 200), url: each.url.slice(0, 2_000) })),
    ...(!isEmpty && { details: JSON.stringify(details, null, 2).slice(0, longestNote) }),
  };
}
