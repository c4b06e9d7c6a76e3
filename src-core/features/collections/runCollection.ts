import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ReadFile, Collection } from './readCollection.ts';
import type { SavedCall, Variables } from './format.ts';
import type { CallReport, CallTrouble } from '../../contract/collections.ts';
import { runSavedCall, type CallRunner } from './runSavedCall.ts';

/** Which calls of a collection to run, and the options for them. */
export interface RunCollectionOptions extends CallRunner {
  collection: Collection;
  /** The name of one of its environments. */
  environment?: string | undefined;
  /** Files of the calls to run; all if absent. Earlier calls are not run for their variables. */
  only?: readonly string[] | undefined;
  /** After the first call that fails the others are skipped. */
  bail?: boolean | undefined;
  signal: AbortSignal;
}

/**
 * Runs saved calls one after the other and yields a report for each as it ends, also for those that were not made.
 * @throws {RequestError} If the collection does not have the environment or a call.
 */
export async function* runCollection(options: RunCollectionOptions): AsyncGenerator<CallReport, void, void> {
  const { collection, only, bail = false, signal } = options;
  const environment = environmentOf(collection, options.environment);
  const given: Variables = {};
  const scopes = [environment, collection.manifest.variables ?? {}];
  let stop: CallTrouble | undefined;
  for (const entry of chosen(collection, only)) {
    if (signal.aborted) stop = 'cancelled';
    const report = stop === undefined ? await runOne(entry, { given, scopes }, options) : skipped(entry, stop);
    yield report;
    if (bail && report.verdict === 'failed') stop ??= 'bail';
  }
}

/**
 * Variables of a named environment; none without a name.
 * @throws {RequestError} If the environment does not exist or cannot be read.
 */
export function environmentOf({ environments }: Collection, name: string | undefined): Variables {
  if (name === undefined) return {};
  const found = environments.find(({ file }) => file === `environments/${name}.json`);
  const known = environments.map(({ file }) => file.slice('environments/'.length, -'.json'.length)).join(', ');
  if (found === undefined)
    throw new RequestError(
      known === ''
        ? `There is no environment "${name}". Create environments/${name}.json, or run without an environment.`
        : `There is no environment "${name}". Choose one of: ${known}.`,
      { field: 'environment' },
    );
  if (found.value === undefined)
    throw new RequestError(`${found.file} cannot be used. ${found.problem}`, { field: 'environment' });
  return found.value.variables;
}

function chosen({ calls }: Collection, only: readonly string[] | undefined): ReadFile<SavedCall>[] {
  if (only === undefined) return calls;
  for (const file of only) {
    if (!calls.some((call) => call.file === file))
      throw new RequestError(`There is no call "${file}" in the collection.`, { field: 'only' });
  }
  return calls.filter(({ file }) => only.includes(file));
}

async function runOne(
  entry: ReadFile<SavedCall>,
  variables: { given: Variables; scopes: readonly Variables[] },
  options: RunCollectionOptions,
): Promise<CallReport> {
  const { file, value: call, problem = '' } = entry;
  if (call === undefined) return { file, name: file, verdict: 'failed', trouble: 'file', message: problem, checks: [] };
  try {
    return await runSavedCall({ file, call, ...variables }, options);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const message = describeThrown(error);
    const report: CallReport = { file, name: call.name, verdict: 'failed', trouble: 'variables', message, checks: [] };
    await options.record(report);
    return report;
  }
}

function skipped({ file, value }: ReadFile<SavedCall>, trouble: CallTrouble): CallReport {
  const message = trouble === 'bail' ? 'Not run: a call before it failed.' : 'Not run: the run was stopped.';
  return { file, name: value?.name ?? file, verdict: 'skipped', trouble, message, checks: [] };
}
