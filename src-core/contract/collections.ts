import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import { assertionSchema, maxCalls } from '../features/collections/format.ts';
import type {
  CallReport,
  CollectionView,
  LatestRuns,
  RunOver,
  SavedCallDraft,
  SavedRun,
  SaveOutcome,
  SecretView,
  VariablesView,
  Verdict,
} from './types.ts';
import { callId, text, timeoutMs } from './fields.ts';
import type { Nothing } from './fields.ts';

const folder = z.string().min(1).max(4_096);
const file = z.string().min(1).max(255);
const name = z.string().min(1).max(200);
const environment = z.string().min(1).max(190);
/**
 * The version of the file that a save should replace; null for a file that does not exist yet; absent to overwrite any.
 */
const version = z.string().max(64).nullable().optional();
/** Also removes what could not be restored. */
const forGood = z.boolean().optional();
const secretName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'must be letters, digits and _');
const draft = z.strictObject({
  name,
  description: z.string().max(10_000).optional(),
  tool: z.string().min(1).max(1_024),
  argsJson: text,
  timeoutMs: timeoutMs.optional(),
  confirm: z.boolean().optional(),
  extract: z.record(z.string(), z.string().max(2_000)).optional(),
  assertions: z.array(assertionSchema).max(100),
});

/** Saved calls: folders of plain files (docs/collections.md). Only a folder's own files are read and written. */
export const collections = {
  /** The open ones, by name. */
  list: oc.output(type<CollectionView[]>()),
  open: oc.input(z.strictObject({ folder })).output(type<{ folder: string }>()),
  /** Makes a folder a collection, and opens it. Creates the folder if only its parent exists. */
  create: oc.input(z.strictObject({ folder, name })).output(type<{ folder: string }>()),
  /** Removes it from the list; its files stay. */
  close: oc.input(z.strictObject({ folder })).output(type<Nothing>()),
  /**
   * Whether calls whose file says "confirm": true run without asking even if they are dangerous. Closing the collection
   * ends the trust.
   */
  trust: oc.input(z.strictObject({ folder, trusted: z.boolean() })).output(type<Nothing>()),
  call: oc.input(z.strictObject({ folder, file })).output(type<{ version: string; draft: SavedCallDraft }>()),
  /** Without `file` a new one is made. */
  saveCall: oc.input(z.strictObject({ folder, file: file.optional(), version, draft })).output(type<SaveOutcome>()),
  removeCall: oc.input(z.strictObject({ folder, file, forGood })).output(type<Nothing>()),
  /** The order in which the calls run: all files, first to last. */
  reorder: oc.input(z.strictObject({ folder, order: z.array(file).max(maxCalls) })).output(type<Nothing>()),
  variables: oc.input(z.strictObject({ folder, environment: environment.optional() })).output(type<VariablesView>()),
  /** Creates the environment if it does not exist. */
  saveVariables: oc
    .input(z.strictObject({ folder, environment: environment.optional(), version, variablesJson: text }))
    .output(type<SaveOutcome>()),
  removeEnvironment: oc.input(z.strictObject({ folder, environment, forGood })).output(type<Nothing>()),
  /** The secrets that the files name. Values are never returned. */
  secrets: oc.input(z.strictObject({ folder })).output(type<SecretView[]>()),
  /** Without a value the secret is removed. */
  setSecret: oc
    .input(z.strictObject({ folder, name: secretName, value: z.string().min(1).max(65_536).optional() }))
    .output(type<Nothing>()),
  /**
   * A saved call with its variables filled in. Secrets stay as placeholders, and so do variables without a value;
   * `missing` names the secrets and variables that have no value.
   */
  filled: oc
    .input(z.strictObject({ folder, file, environment: environment.optional() }))
    .output(type<{ toolName: string; argsJson: string; missing: string[] }>()),
  /** What is wrong with a text as a JSON path. */
  checkPath: oc.input(z.strictObject({ path: z.string().max(2_000) })).output(type<{ problem?: string }>()),
  /** Checks assertions on a call of the history. */
  check: oc
    .input(
      z.strictObject({
        callId,
        assertions: z.array(assertionSchema).max(100),
        folder: folder.optional(),
        file: file.optional(),
      }),
    )
    .output(type<Verdict[]>()),
  /**
   * Runs calls one after the other, as a run that the engine owns; reports each call as it ends. `calls.cancel` stops
   * it: the remaining calls are reported as skipped.
   */
  run: oc
    .input(
      z.strictObject({
        runId: callId,
        folder,
        environment: environment.optional(),
        only: z.array(file).max(maxCalls).optional(),
        bail: z.boolean().optional(),
        confirmed: z.boolean().optional(),
      }),
    )
    .output(eventIterator(type<CallReport | RunOver>())),
  /** The reports of a run so far, then those that follow. */
  follow: oc.input(z.strictObject({ runId: callId })).output(eventIterator(type<CallReport | RunOver>())),
  /** The results of a saved call on this machine, newest first. */
  runs: oc.input(z.strictObject({ folder, file, limit: z.int().min(1).max(100) })).output(type<SavedRun[]>()),
  /** The last result of each call of the open ones. Reads no file. */
  latestRuns: oc.output(type<LatestRuns>()),
  /** ms of the last runs of a saved call that passed, at most 20, newest first. */
  passedDurations: oc.input(z.strictObject({ folder, file })).output(type<number[]>()),
  /** Keeps the result of a saved call that a terminal ran. */
  record: oc
    .input(
      z.strictObject({
        folder,
        file,
        run: z.strictObject({
          at: z.int(),
          verdict: z.enum(['passed', 'failed', 'skipped']),
          durationMs: z.number().min(0).optional(),
        }),
      }),
    )
    .output(type<Nothing>()),
};
