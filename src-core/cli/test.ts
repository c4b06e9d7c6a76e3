import { access, constants, lstat, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { RequestError } from '../base/requestError.ts';
import { openCollectionFolder } from '../features/collections/collectionFolder.ts';
import { listTools } from '../rpc/listTools.ts';
import { readCollection, type Collection } from '../features/collections/readCollection.ts';
import type { CallReport } from '../contract/collections.ts';
import type { RunReport } from '../features/collections/report.ts';
import { runCollection } from '../features/collections/runCollection.ts';
import { virtualProfileIds, virtualProfileOf } from '../features/devices/virtual/profiles.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { onlyDevice } from '../features/captures/onlyDevice.ts';
import type { Command } from './command.ts';
import { connect, type WorkbenchConnection, connectTo } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import { followCalls } from './followCalls.ts';
import { createNeededServers, type NeededServers } from './neededServers.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';
import { toJUnit } from '../features/collections/junit.ts';
import { writeWhole } from '../features/collections/writeWhole.ts';

const marks = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;

const word = { passed: '', failed: '', skipped: 'not checked: ' } as const;

/** `toolwire test`: a folder of saved calls, run and checked. */
export const testCommand: Command = {
  name: 'test',
  argument: { label: 'FOLDER', required: true },
  summary: 'Run the saved calls of a folder, and check their assertions.',
  details:
    'FOLDER is a collection (docs/collections.md), or a folder of collections.\n' +
    '{{$secret:NAME}} is read from the environment: TOOLWIRE_SECRET_NAME.\n' +
    'MCP servers that are always approved are started for their calls if they do not run.\n' +
    'Exit code 1 if a call fails or none could be run; 3 or 4 if the cause is a server that is not approved or does not start.\n' +
    'Ctrl+C stops the run. The report then contains the completed calls.',
  flags: {
    env: {
      type: 'string',
      value: 'NAME',
      help: 'environment whose variables take precedence over the collection’s own',
    },
    only: { type: 'string', value: 'TEXT', help: 'run only calls with this text in their name or file' },
    bail: { type: 'boolean', help: 'stop after the first call that fails' },
    junit: { type: 'string', value: 'FILE', help: 'write a report in JUnit XML to this file' },
    json: { type: 'boolean', help: 'print the whole report as JSON' },
    yes: { type: 'boolean', help: 'also run dangerous calls, which are skipped otherwise' },
    trust: { type: 'boolean', help: 'also run dangerous calls whose file has "confirm": true' },
    device: { type: 'string', value: 'NAME', help: 'the connected device that {{$device}} refers to' },
    'device-profile': {
      type: 'string',
      value: 'NAME',
      help: `run against a virtual device in a separate Toolwire: ${virtualProfileIds.join(', ')}`,
    },
    ...dataDirFlag,
  },
  async run({ argument: folder = '', flags, terminal }) {
    const profile = flags.text('device-profile');
    if (profile !== undefined && virtualProfileOf(profile) === undefined)
      throw new UsageError(`There is no profile "${profile}". Choose one of: ${virtualProfileIds.join(', ')}.`);
    const collections = await findCollections(folder);
    const junit = flags.text('junit');
    // A report that cannot be written is an error before any device is called.
    if (junit !== undefined) await beginReport(junit);
    const kept = flags.text('data-dir');
    const connection =
      profile === undefined
        ? await connect({ dataDir: dataDirOf(flags), terminal })
        : await connectWithDevice({ profile, terminal, ...(kept !== undefined && { dataDir: dataDirOf(flags) }) });
    const runs: RunReport[] = [];
    // Shared by all collections: a device may return a secret in the second that it was given in the first.
    const givenSecrets: Record<string, string> = {};
    const servers = createNeededServers({ client: connection.client, terminal });
    const failures: ExitError[] = [];
    try {
      for (const collection of collections) {
        const run = await runOne(collection, {
          connection,
          servers,
          failures,
          terminal,
          givenSecrets,
          quiet: flags.isSet('json'),
          environment: flags.text('env'),
          bail: flags.isSet('bail'),
          trusted: flags.isSet('trust'),
          only: flags.text('only'),
          confirmed: flags.isSet('yes'),
          device: flags.text('device'),
        });
        runs.push(run);
        const failed = run.calls.some(({ verdict }) => verdict === 'failed');
        if (terminal.ended.aborted || run.error !== undefined || (failed && flags.isSet('bail'))) break;
      }
    } finally {
      await servers.stop().finally(connection.close);
    }
    if (flags.isSet('json')) terminal.print(`${JSON.stringify(runs, null, 2)}\n`);
    else terminal.print(summaryLine(runs));
    if (junit !== undefined) await writeReport(junit, runs);
    const calls = runs.flatMap((run) => run.calls);
    if (calls.some(({ trouble }) => trouble === 'asks-first'))
      terminal.note(
        'toolwire: Dangerous calls were skipped. --yes runs them all, --trust those whose file has "confirm": true.\n',
      );
    if (calls.length === 0 && runs.every(({ error }) => error === undefined))
      terminal.note(`toolwire: ${nothingRun(folder, flags.text('only'))}\n`);
    if (terminal.ended.aborted) return exitCodes.interrupted;
    return isFine(runs) ? exitCodes.ok : (failures[0]?.exitCode ?? exitCodes.failed);
  },
};

interface OneRun {
  connection: WorkbenchConnection;
  servers: NeededServers;
  /** Of servers that did not start. */
  failures: ExitError[];
  terminal: Terminal;
  givenSecrets: Record<string, string>;
  quiet: boolean;
  environment: string | undefined;
  bail: boolean;
  only: string | undefined;
  confirmed: boolean;
  trusted: boolean;
  device: string | undefined;
}

/** Never rejects: the calls that ran before the engine was lost are reported. */
async function runOne(collection: Collection, options: OneRun): Promise<RunReport> {
  const { connection, servers, failures, terminal, givenSecrets, quiet, environment, bail, only, confirmed, trusted } =
    options;
  const { client } = connection;
  const { folder, manifest, problems } = collection;
  for (const problem of problems) terminal.note(`toolwire: ${manifest.name}: ${firstLine(problem)}\n`);
  const report: RunReport = {
    name: manifest.name,
    startedAt: Date.now(),
    calls: [],
    ...(environment !== undefined && { environment }),
  };
  if (!quiet) terminal.print(`${firstLine(manifest.name)}\n`);
  /** The call itself then fails, because its tool is missing. */
  const noteFailure = (error: unknown): undefined => {
    if (!(error instanceof ExitError)) throw error;
    if (!failures.includes(error)) terminal.note(`toolwire: ${error.message}\n`);
    failures.push(error);
  };
  let callId: string | undefined;
  const follower = followCalls({ client, terminal, callId: () => callId });
  const calls = runCollection({
    collection,
    environment,
    bail,
    confirmed,
    trusted,
    givenSecrets,
    signal: terminal.ended,
    ...(only !== undefined && { only: filesWith(collection, only) }),
    async execute(call, signal) {
      // If the engine cannot be reached, it has ended, and so has the call.
      const cancel = (): void => void client.calls.cancel({ callId: call.callId }).catch(() => undefined);
      signal.addEventListener('abort', cancel);
      try {
        const owner = await servers.startOwnerOf(call.toolName).catch(noteFailure);
        if (owner !== undefined) follower.answerFor(owner.id);
        callId = call.callId;
        return await client.calls.execute({ ...call, origin: 'cli' });
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    secret: (name) => Promise.resolve(secretIn(terminal, name)),
    device: deviceFinder(options),
    durations: (file) => client.collections.passedDurations({ folder, file }),
    async record({ file, verdict, durationMs, tool }) {
      await client.collections.record({ folder, file, run: { at: Date.now(), verdict, durationMs, tool } });
    },
  });
  try {
    for await (const call of calls) {
      report.calls.push(call);
      if (!quiet) terminal.print(callLines(call));
    }
  } catch (error) {
    report.error = describeThrown(error);
    const flag = error instanceof RequestError && error.field === 'environment' ? '--env: ' : '';
    terminal.note(`toolwire: ${manifest.name}: ${flag}${messageLine(report.error)}\n`);
  } finally {
    await follower.stop();
  }
  if (terminal.ended.aborted) report.stopped = true;
  return report;
}

/** Finds what `{{$device}}` means, and says so. */
function deviceFinder({ connection, terminal, device }: OneRun): () => Promise<string> {
  let said: string | undefined;
  return async () => {
    const id = onlyDevice(await listTools(connection.client), device);
    if (id !== said) terminal.note(`toolwire: {{$device}} is ${firstLine(id)}.\n`);
    return (said = id);
  };
}

function filesWith({ calls }: Collection, text: string): string[] {
  const wanted = text.toLowerCase();
  return calls
    .filter(({ file, value }) => `${basename(file)}\n${value?.name ?? ''}`.toLowerCase().includes(wanted))
    .map(({ file }) => file);
}

function nothingRun(folder: string, only: string | undefined): string {
  if (only === undefined) return `${folder} has no saved call to run. Their names end with .call.json.`;
  return `No saved call has "${firstLine(only)}" in its name or file. Change --only.`;
}

/** @throws {RequestError} If the secret is not in the environment. */
function secretIn({ env }: Terminal, name: string): string {
  const variable = `TOOLWIRE_SECRET_${name}`;
  const value = env[variable];
  if (value === undefined) throw new RequestError(`The secret "${name}" has no value. Set the variable ${variable}.`);
  return value;
}

/** A run that checked nothing does not pass. */
function isFine(runs: readonly RunReport[]): boolean {
  if (runs.some(({ error }) => error !== undefined)) return false;
  const calls = runs.flatMap((run) => run.calls);
  return calls.some(({ verdict }) => verdict === 'passed') && calls.every(({ verdict }) => verdict !== 'failed');
}

/** One call of a run: a line, and a line for each thing that was not as it should be. */
function callLines({ name, file, verdict, durationMs, message, warnings = [], checks }: CallReport): string {
  const time = durationMs === undefined ? '' : `  ${Math.round(durationMs)} ms`;
  const where = verdict === 'passed' ? '' : `  (${firstLine(file)})`;
  const words = checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map((check) => `${word[check.outcome]}${check.message}`);
  if (message !== undefined) words.push(message);
  words.push(...warnings.map((warning) => `warning: ${warning}`));
  return [
    `  ${marks[verdict]} ${firstLine(name)}${time}${where}`,
    ...words.map((each) => `          ${messageLine(each)}`),
    '',
  ].join('\n');
}

/** How the runs came out, in numbers. */
function summaryLine(runs: readonly RunReport[]): string {
  const calls = runs.flatMap((run) => run.calls);
  const of = (verdict: CallReport['verdict']): number => calls.filter((call) => call.verdict === verdict).length;
  const stopped = runs.some((run) => run.stopped === true || run.error !== undefined) ? '; stopped half-way' : '';
  return `${of('passed')} passed, ${of('failed')} failed, ${of('skipped')} skipped${stopped}.\n`;
}

/**
 * A workbench of our own, in this process, with a virtual device that is ready. Without a data directory it has one for
 * the moment: no history of earlier runs, no modules, no settings of the user's.
 */
async function connectWithDevice(options: {
  profile: string;
  terminal: Terminal;
  dataDir?: string;
}): Promise<WorkbenchConnection> {
  const { profile, terminal, dataDir } = options;
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'toolwire-test-')));
  const leave = async (): Promise<void> => {
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const connection = await connectTo({ dataDir: folder, terminal });
    const close = async (): Promise<void> => {
      await connection.close();
      await leave();
    };
    try {
      await addReadyDevice(connection, profile, terminal.ended);
      return { ...connection, close };
    } catch (error) {
      await connection.close();
      throw error;
    }
  } catch (error) {
    await leave();
    throw error;
  }
}

async function addReadyDevice({ client }: WorkbenchConnection, profile: string, ended: AbortSignal): Promise<void> {
  const { deviceId } = await client.devices.addVirtual({ profile });
  for await (const { topics } of await client.workbench.events(undefined, { signal: ended })) {
    if (!topics.includes('devices')) continue;
    const device = (await client.devices.list()).find((each) => each.deviceId === deviceId);
    if (device?.state === 'ready') return;
    if (device === undefined) throw new Error(`The virtual device "${profile}" left before its tools were there.`);
  }
  throw new Error('Cancelled before the virtual device was ready.');
}

/**
 * Puts a report that says that the run did not end where the one of the last run may still be: whatever ends this one, no
 * report is better than it was. Into a pipe or a device it writes nothing. @throws Error that names the file, and why.
 */
async function beginReport(path: string): Promise<void> {
  await saying(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const there = await stat(path).catch(missing);
    if (there === undefined || there.isFile()) await put(path, [unended()]);
    else if (there.isDirectory()) await writeFile(path, ''); // It says why that cannot be.
    else await access(path, constants.W_OK);
  });
}

/** Writes runs as JUnit XML. @throws Error that names the file, and why. */
async function writeReport(path: string, runs: readonly RunReport[]): Promise<void> {
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

/**
 * The collection of a folder, or, if it has none, those of its subfolders, by name. Links are not followed.
 * @throws {RequestError} If there is none, or one cannot be read.
 */
async function findCollections(typed: string): Promise<Collection[]> {
  const folder = await openCollectionFolder(typed);
  if ((await folder.read('toolwire.json')) !== undefined) return [await readCollection(folder)];
  const found: Collection[] = [];
  const entries = await readdir(folder.path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort()) {
    const inner = await openCollectionFolder(join(folder.path, name));
    if ((await inner.read('toolwire.json')) !== undefined) found.push(await readCollection(inner));
  }
  if (found.length > 0) return found;
  throw new RequestError(`${folder.path} has no toolwire.json, nor has a folder in it: it is not a collection.`, {
    field: 'folder',
  });
}
