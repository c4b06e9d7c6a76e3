import type { Assertion } from '../../features/collections/format.ts';
import type { SavedRun } from '../../store/savedRunTypes.ts';

export type { Assertion } from '../../features/collections/format.ts';
export type { CallReport } from '../../features/collections/report.ts';
export type { Verdict } from '../../features/collections/verdict.ts';
export type { SavedRun } from '../../store/savedRunTypes.ts';

/** A saved call in the tree. */
export interface SavedCallRow {
  /** Its file's name in the folder. */
  file: string;
  /** The call's name; the file's if it could not be read. */
  name: string;
  tool?: string;
  /** Why the file is not a valid saved call. */
  problem?: string;
  /** The number of checks besides the status. */
  assertions: number;
  /** Its last result on this machine. */
  last?: SavedRun;
}

/** A collection that is open. */
export interface CollectionView {
  /** The real path of its folder. */
  folder: string;
  name: string;
  /** Why it cannot be used: the folder is missing, its toolwire.json is not valid. */
  problem?: string;
  /** Problems that do not prevent its use. */
  problems: string[];
  /** The user trusts it: calls whose file confirms them run without asking. */
  trusted: boolean;
  /** Calls whose file confirms them. */
  confirming: number;
  /** In the order in which they run. */
  calls: SavedCallRow[];
  /** Names, and what is wrong with one. */
  environments: { name: string; problem?: string }[];
}

/** The last result of each saved call, by its collection's folder and its file. */
export type LatestRuns = Record<string, Record<string, SavedRun>>;

/** A saved call as it is edited. */
export interface SavedCallDraft {
  name: string;
  description?: string | undefined;
  /** `toolId_methodName`; may hold variables, `{{$device}}` for the device that is connected. */
  tool: string;
  /** JSON text of the arguments object, which may hold variables. */
  argsJson: string;
  /** ms. */
  timeoutMs?: number | undefined;
  confirm?: boolean | undefined;
  /** JSON paths by the variable they set. */
  extract?: Record<string, string> | undefined;
  assertions: Assertion[];
}

/** Variables of a collection (`environment` absent), or of one of its environments. */
export interface VariablesView {
  environment?: string;
  version: string;
  /** JSON text of an object. */
  variablesJson: string;
}

/**
 * The outcome of a save: done, or rejected since the file was changed meanwhile; `text` is its current content, null if
 * it was deleted.
 */
export type SaveOutcome =
  { saved: true; file: string; version: string } | { saved: false; text: string | null; version: string | null };

/** A secret that a collection's files name. */
export interface SecretView {
  name: string;
  isSet: boolean;
}
