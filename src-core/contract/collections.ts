import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import { comparable, type ExactJson } from '../base/exactJson.ts';
import { isExactNumber, keepIntegers } from '../base/exactNumber.ts';
import type { JsonSchema } from '../base/json.ts';
import { callId, nothing, runOver, text, timeoutMs } from './fields.ts';

/** Maximum number of calls in one collection. Further files are not read, and a problem states this. */
export const maxCalls = 2_000;

/** Any JSON, its numbers as they are written. */
export const exactJson = z.unknown().transform((value) => value as ExactJson);
/** Any JSON, to compare with: whole numbers of any size, others as doubles. */
const wanted = exactJson.transform(comparable).refine(isFinite, 'must not contain a number beyond ±1.8e308');
/** A JSON Schema: whole numbers of any size, others as doubles. */
const schema = z
  .record(z.string(), exactJson)
  .transform((value) => keepIntegers(value as JsonSchema))
  .refine(isFinite, 'must not contain a number beyond ±1.8e308');
export const jsonPath = z.string().min(1).max(2_000);

/** Comparisons of a value that a JSON path found. */
const pathOperators = [
  'equals',
  'notEquals',
  'contains',
  'matches',
  'exists',
  'type',
  'greaterThan',
  'atLeast',
  'lessThan',
  'atMost',
] as const;

const checks = ['status', 'softFailure', 'path', 'schema', 'duration'] as const;

/** One condition that a result must meet. */
export const assertionSchema = z.discriminatedUnion(
  'check',
  [
    /** `success`, `error` for any error, or the code of one error. */
    z.strictObject({ check: z.literal('status'), is: z.string().min(1).max(64) }),
    z.strictObject({ check: z.literal('softFailure'), is: z.boolean() }),
    z.strictObject({ check: z.literal('path'), path: jsonPath, op: z.enum(pathOperators), value: wanted.optional() }),
    z.strictObject({
      check: z.literal('schema'),
      schema: z.union([z.boolean(), schema], 'must be true, false or an object'),
    }),
    z
      .strictObject({
        check: z.literal('duration'),
        atMostMs: timeoutMs.optional(),
        atMostTimesMedian: z.number().min(1).max(1_000).optional(),
      })
      .refine(
        ({ atMostMs, atMostTimesMedian }) => (atMostMs === undefined) !== (atMostTimesMedian === undefined),
        'must have either atMostMs or atMostTimesMedian',
      ),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of ${checks.map((name) => `"${name}"`).join(', ')}` : undefined,
  },
);
export type Assertion = z.infer<typeof assertionSchema>;

/** An assertion in an output. It is not parsed again: that would change its numbers. */
const assertion = z.custom<Assertion>();
const outcome = z.enum(['passed', 'failed', 'skipped']);

/** What one run of a saved call resulted in. */
const savedRun = z.strictObject({
  /** Epoch ms. */
  at: z.int(),
  verdict: outcome,
  /** ms; absent if the call was never sent. */
  durationMs: z.number().min(0).optional(),
  /** The tool as called, its variables filled in. Absent if they could not be. */
  tool: z.string().max(1_024).optional(),
});
export type SavedRun = z.infer<typeof savedRun>;

/** The last result of each saved call, by its collection's folder and its file. */
const latestRuns = z.record(z.string(), z.record(z.string(), savedRun));
export type LatestRuns = z.infer<typeof latestRuns>;

/** A saved call in the tree. */
const savedCallRow = z.strictObject({
  /** Its file's name in the folder. */
  file: z.string(),
  /** The call's name; the file's if it could not be read. */
  name: z.string(),
  tool: z.string().exactOptional(),
  /** Why the file is not a valid saved call. */
  problem: z.string().exactOptional(),
  /** The number of checks besides the status. */
  assertions: z.number(),
  /** Its last result on this machine. */
  last: savedRun.exactOptional(),
});
export type SavedCallRow = z.infer<typeof savedCallRow>;

/** A collection that is open. */
const collectionView = z.strictObject({
  /** The real path of its folder. */
  folder: z.string(),
  name: z.string(),
  /** Why it cannot be used: the folder is missing, its toolwire.json is not valid. */
  problem: z.string().exactOptional(),
  /** Problems that do not prevent its use. */
  problems: z.array(z.string()),
  /** The user trusts it: calls whose file confirms them run without asking. */
  trusted: z.boolean(),
  /** Calls whose file confirms them. */
  confirming: z.number(),
  /** In the order in which they run. */
  calls: z.array(savedCallRow),
  /** Names, and what is wrong with one. */
  environments: z.array(z.strictObject({ name: z.string(), problem: z.string().exactOptional() })),
});
export type CollectionView = z.infer<typeof collectionView>;

/** The result of one assertion. */
const verdict = z.strictObject({
  assertion,
  outcome,
  /** Why it did not pass. */
  reason: z
    .enum([
      'status', // another status or error code
      'soft-failure',
      'nothing-found', // the path matches nothing
      'something-found', // the path should match nothing
      'differs',
      'too-slow',
      'does-not-fit', // the schema
      'cannot-check', // a bad path or pattern; a check that took too long; a result that was cut: skipped
      'no-history', // too few runs to compare with: skipped
    ])
    .exactOptional(),
  /** The error code of another status, or where in the result the schema does not fit. */
  place: z.string().exactOptional(),
  /** What was there instead, shortened. */
  found: z.string().exactOptional(),
  /** The variable without a value that keeps it from being checked. */
  variable: z.string().exactOptional(),
  /** A sentence in English; the window words `reason` in its own language. */
  message: z.string(),
});
export type Verdict = z.infer<typeof verdict>;

/** The result of one saved call in a run. It contains no secret. */
const callReport = z.strictObject({
  file: z.string(),
  /** The call's name; the file's if it could not be read. */
  name: z.string(),
  verdict: outcome,
  /** The tool as called, its variables filled in. */
  tool: z.string().exactOptional(),
  argsJson: z.string().exactOptional(),
  callId: z.string().exactOptional(),
  /** Why it was not called, or could not be. */
  trouble: z
    .enum([
      'file', // the file is not a valid saved call
      'variables', // a variable or secret is missing, or the device is ambiguous
      'extract', // a path for a later call matches nothing
      'asks-first', // dangerous and not confirmed: skipped
      'bail', // an earlier one failed: skipped
      'cancelled', // the run was stopped: skipped
    ])
    .exactOptional(),
  /** A sentence in English that describes the trouble. */
  message: z.string().exactOptional(),
  /** Absent if the call was not made. */
  status: z.enum(['success', 'error']).exactOptional(),
  errorCode: z.string().exactOptional(),
  durationMs: z.number().exactOptional(),
  /** Its text, shortened. */
  result: z.string().exactOptional(),
  /** Mismatches between the result and the outputSchema of its method. The verdict does not depend on them. */
  warnings: z.array(z.string()).exactOptional(),
  checks: z.array(verdict),
});
export type CallReport = z.infer<typeof callReport>;
export type CallTrouble = NonNullable<CallReport['trouble']>;
const runEvents = z.union([callReport, runOver]);

/** Variables of a collection (`environment` absent), or of one of its environments. */
const variablesView = z.strictObject({
  environment: z.string().exactOptional(),
  version: z.string(),
  /** JSON text of an object. */
  variablesJson: z.string(),
  /** Variables that calls use but that neither the collection, an environment nor a call sets. */
  unset: z.array(z.string()),
});
export type VariablesView = z.infer<typeof variablesView>;

/**
 * The outcome of a save: done, or rejected since the file was changed meanwhile; `text` is its current content, null if
 * it was deleted.
 */
const saveOutcome = z.discriminatedUnion('saved', [
  z.strictObject({ saved: z.literal(true), file: z.string(), version: z.string() }),
  z.strictObject({ saved: z.literal(false), text: z.string().nullable(), version: z.string().nullable() }),
]);
export type SaveOutcome = z.infer<typeof saveOutcome>;

/** A secret that a collection's files name. */
const secretView = z.strictObject({ name: z.string(), isSet: z.boolean() });
export type SecretView = z.infer<typeof secretView>;

const folder = z.string().min(1).max(4_096);
const file = z.string().min(1).max(255);
const name = z.string().min(1).max(200);
const environment = z.string().min(1).max(190);
/** The version of the file that a save should replace; null for a file that does not exist yet; absent to overwrite any. */
const version = z.string().max(64).nullable().optional();
/** Also removes what could not be restored. */
const forGood = z.boolean().optional();
/** The registry id of the tool that `{{$device}}` means; needed only if several devices are connected. */
const device = z.string().min(1).max(256).optional();
const secretName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'must be letters, digits and _');
/** A saved call as it is edited. */
const draft = z.strictObject({
  name,
  description: z.string().max(10_000).optional(),
  /** `toolId_methodName`; may hold variables, `{{$device}}` for the device that is connected. */
  tool: z.string().min(1).max(1_024),
  /** JSON text of the arguments object, which may hold variables. */
  argsJson: text,
  timeoutMs: timeoutMs.optional(),
  confirm: z.boolean().optional(),
  /** JSON paths by the variable they set. */
  extract: z.record(z.string(), z.string().max(2_000)).optional(),
  assertions: z.array(assertionSchema).max(100),
});
export type SavedCallDraft = z.infer<typeof draft>;

/** A run of saved calls. */
export const collectionRun = z.strictObject({
  runId: callId,
  folder,
  environment: environment.optional(),
  /** Files of the calls; all of the collection if absent. */
  only: z.array(file).max(maxCalls).optional(),
  bail: z.boolean().optional(),
  confirmed: z.boolean().optional(),
  device,
});
export type CollectionRunInput = z.infer<typeof collectionRun>;

/** Saved calls: folders of plain files (docs/collections.md). Only a folder's own files are read and written. */
export const collections = {
  /** The open ones, by name. */
  list: oc.output(z.array(collectionView)),
  open: oc.input(z.strictObject({ folder })).output(z.strictObject({ folder: z.string() })),
  /** Makes a folder a collection, and opens it. Creates the folder if only its parent exists. */
  create: oc.input(z.strictObject({ folder, name })).output(z.strictObject({ folder: z.string() })),
  /** Removes it from the list; its files stay. */
  close: oc.input(z.strictObject({ folder })).output(nothing),
  /**
   * Whether calls whose file says "confirm": true run without asking even if they are dangerous. Closing the collection
   * ends the trust.
   */
  trust: oc.input(z.strictObject({ folder, trusted: z.boolean() })).output(nothing),
  call: oc
    .input(z.strictObject({ folder, file }))
    .output(z.strictObject({ version: z.string(), draft: draft.extend({ assertions: z.array(assertion) }) })),
  /** Without `file` a new one is made. */
  saveCall: oc.input(z.strictObject({ folder, file: file.optional(), version, draft })).output(saveOutcome),
  removeCall: oc.input(z.strictObject({ folder, file, forGood })).output(nothing),
  /** The order in which the calls run: all files, first to last. */
  reorder: oc.input(z.strictObject({ folder, order: z.array(file).max(maxCalls) })).output(nothing),
  variables: oc.input(z.strictObject({ folder, environment: environment.optional() })).output(variablesView),
  /** Creates the environment if it does not exist. */
  saveVariables: oc
    .input(z.strictObject({ folder, environment: environment.optional(), version, variablesJson: text }))
    .output(saveOutcome),
  removeEnvironment: oc.input(z.strictObject({ folder, environment, forGood })).output(nothing),
  /** The secrets that the files name. Values are never returned. */
  secrets: oc.input(z.strictObject({ folder })).output(z.array(secretView)),
  /** Without a value the secret is removed. */
  setSecret: oc
    .input(z.strictObject({ folder, name: secretName, value: z.string().min(1).max(65_536).optional() }))
    .output(nothing),
  /**
   * A saved call with its variables filled in. Secrets stay as placeholders, and so do variables without a value;
   * `missing` names the secrets and variables that have no value.
   */
  filled: oc
    .input(z.strictObject({ folder, file, environment: environment.optional(), device }))
    .output(z.strictObject({ toolName: z.string(), argsJson: z.string(), missing: z.array(z.string()) })),
  /** What is wrong with a text as a JSON path. */
  checkPath: oc
    .input(z.strictObject({ path: z.string().max(2_000) }))
    .output(z.strictObject({ problem: z.string().optional() })),
  /**
   * Checks assertions on a call of the history. With `folder`, the variables and secrets of the assertions are filled in;
   * the verdicts contain no secret.
   */
  check: oc
    .input(
      z.strictObject({
        callId,
        assertions: z.array(assertionSchema).max(100),
        folder: folder.optional(),
        file: file.optional(),
        environment: environment.optional(),
        device,
      }),
    )
    .output(z.array(verdict)),
  /**
   * Runs calls one after the other, as a run that the engine owns; reports each call as it ends. `calls.cancel` stops
   * it: the remaining calls are reported as skipped.
   */
  run: oc.input(collectionRun).output(eventIterator(runEvents)),
  /** The reports of a run so far, then those that follow. */
  follow: oc.input(z.strictObject({ runId: callId })).output(eventIterator(runEvents)),
  /** The results of a saved call on this machine, newest first. */
  runs: oc.input(z.strictObject({ folder, file, limit: z.int().min(1).max(100) })).output(z.array(savedRun)),
  /** The last result of each call of the open ones. Reads no file. */
  latestRuns: oc.output(latestRuns),
  /** ms of the last runs of a saved call that passed, at most 20, newest first. */
  passedDurations: oc.input(z.strictObject({ folder, file })).output(z.array(z.number())),
  /** Keeps the result of a saved call that a terminal ran. */
  record: oc.input(z.strictObject({ folder, file, run: savedRun })).output(nothing),
};

function isFinite(value: ExactJson): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || isExactNumber(value) || Object.values(value).every(isFinite);
}
