import { randomUUID } from 'node:crypto';

import type { ToolExecutionResult } from '../../base/calls.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { outputWarnings } from '../../base/outputWarnings.ts';
import { checkAssertions, checksMs, type CheckAssertionsOptions } from './checkAssertions.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';
import type { Assertion, CallReport, Verdict } from '../../contract/collections.ts';
import type { SavedCall, Variables } from './format.ts';
import { hideSecrets } from './hideSecrets.ts';
import { openResult, type ResultReader } from './resultReader.ts';
import { createTimeBudget } from './timeBudget.ts';
import { fillVariables, type VariableSources } from './variables.ts';
import { wrongPath } from './wrongPath.ts';

/** A call as it goes to the executor. */
export interface CallToRun {
  callId: string;
  toolName: string;
  argsJson: string;
  timeoutMs?: number;
  confirmed: boolean;
  /**
   * Secrets that this call or an earlier one was given, by name: an answer may contain them, and a later call may take
   * them from there.
   */
  secrets: Readonly<Record<string, string>>;
}

/** The dependencies of a run: the terminal has them over the contract, the workbench directly. */
export interface CallRunner extends Omit<VariableSources, 'given' | 'scopes'> {
  /** Through the one executor. Resolves for failed calls too. */
  execute: (call: CallToRun, signal: AbortSignal) => Promise<ToolExecutionResult>;
  /** ms of the runs of a call that passed, newest first. */
  durations: (file: string) => Promise<number[]>;
  /** Keeps the outcome of a call: passed or failed, even if the call was never made. */
  record: (report: CallReport) => Promise<void>;
  /** The user has confirmed all dangerous calls of this run. */
  confirmed: boolean;
  /** The user trusts the collection: confirmations in its files apply. The files may come from anyone. */
  trusted: boolean;
  signal: AbortSignal;
  /** Every secret that a call of this run was given, by name; filled during the run. */
  givenSecrets: Record<string, string>;
}

/** Characters of a result in a report. */
const maxResultLength = 4_000;

/**
 * Runs one saved call: fills its variables, calls, checks its assertions, and puts what it extracts into `given`.
 * @throws {RequestError} If a variable, a secret or the device is missing.
 */
export async function runSavedCall(
  { file, call, given, scopes }: { file: string; call: SavedCall; given: Variables; scopes: readonly Variables[] },
  runner: CallRunner,
): Promise<CallReport> {
  const { assertions = [], timeoutMs } = call;
  // A call that may have effects is not made if its result could not be checked.
  const wrong = wrongPath(call);
  if (wrong !== undefined) {
    const { message } = wrong;
    const report: CallReport = { file, name: call.name, verdict: 'failed', trouble: 'file', message, checks: [] };
    await runner.record(report);
    return report;
  }
  const filled = await fillCall(call, { ...runner, given, scopes });
  const secrets = Object.assign(runner.givenSecrets, filled.secrets);
  const hide = <T>(shown: T): T => hideSecrets(shown, secrets);
  const toRun: CallToRun = {
    callId: randomUUID(),
    toolName: filled.toolName,
    argsJson: writeExact(filled.args),
    secrets: { ...secrets },
    ...(timeoutMs !== undefined && { timeoutMs }),
    confirmed: runner.confirmed || (runner.trusted && call.confirm === true),
  };
  const result = await runner.execute(toRun, runner.signal);
  const warnings = outputWarnings(result);
  const base = {
    file,
    name: call.name,
    tool: toRun.toolName,
    argsJson: toRun.argsJson,
    callId: toRun.callId,
    status: result.status,
    durationMs: result.durationMs,
    result: shorten(hide(result.result)),
    ...(warnings.length > 0 && { warnings }),
    ...(result.error !== undefined && { errorCode: result.error.code }),
  };
  const expectsIt = assertions.some((each) => each.check === 'status' && each.is === 'confirmation-required');
  if (result.error?.code === 'confirmation-required' && !expectsIt)
    return hide<CallReport>({ ...base, verdict: 'skipped', trouble: 'asks-first', message: result.result, checks: [] });

  const durations = assertions.some(({ check }) => check === 'duration') ? await runner.durations(file) : [];
  const { checks, failed, missing } = await checkResult(
    call,
    { result, assertions: filled.assertions, durations, hide },
    given,
  );
  const report = hide<CallReport>({
    ...base,
    verdict: failed || missing !== undefined ? 'failed' : 'passed',
    ...(missing !== undefined && { trouble: 'extract', message: missing }),
    checks,
  });
  await runner.record(report);
  return report;
}

/** A call and its assertions with their variables filled in, and the secrets that they now contain, by name. */
export async function fillCall(
  { tool, arguments: args, assertions = [] }: Pick<SavedCall, 'tool' | 'arguments' | 'assertions'>,
  sources: VariableSources,
): Promise<{ toolName: string; args: ExactJson; assertions: Assertion[]; secrets: Record<string, string> }> {
  const values = assertions.map((assertion) => (assertion.check === 'path' ? (assertion.value ?? null) : null));
  const { value, secrets } = await fillVariables({ tool, arguments: args, values }, sources);
  return {
    toolName: String(value.tool),
    args: value.arguments,
    secrets,
    assertions: assertions.map((assertion, at) =>
      values[at] === null ? assertion : ({ ...assertion, value: value.values[at] } as Assertion),
    ),
  };
}

/** Checks a result, and puts what the call extracts into `given` if all checks pass. */
async function checkResult(
  call: SavedCall,
  options: Pick<CheckAssertionsOptions, 'result' | 'assertions' | 'durations' | 'hide'>,
  given: Variables,
): Promise<{ checks: Verdict[]; failed: boolean; missing: string | undefined }> {
  const budget = createTimeBudget(checksMs);
  const reader = openResult(options.result.result, budget);
  try {
    const checks = await checkAssertions({ ...options, budget, reader });
    const failed = checks.some(({ outcome }) => outcome === 'failed');
    return { checks, failed, missing: failed ? undefined : await extract(call, reader, given) };
  } finally {
    reader.close();
  }
}

/** Reports the path that found nothing. */
async function extract(
  { extract: paths = {} }: SavedCall,
  reader: ResultReader,
  into: Variables,
): Promise<string | undefined> {
  for (const [name, path] of Object.entries(paths)) {
    try {
      const { value } = await reader.lookUp({ path });
      if (value === undefined) return `The variable "${name}" has no value: ${path} matches nothing in the result.`;
      into[name] = value;
    } catch (error) {
      return `The variable "${name}" has no value: ${path}: ${describeThrown(error)}`;
    }
  }
  return undefined;
}

function shorten(text: string): string {
  if (text.length <= maxResultLength) return text;
  return `${text.slice(0, maxResultLength).toWellFormed()}…`;
}
