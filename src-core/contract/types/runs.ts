import type { ExecuteInput } from '../types.ts';
import type { RepeatInput } from './series.ts';

export type { RunOver } from '../fields.ts';

/** A call as a run: it asks if it has to, and has no secrets among its arguments, which windows show. */
export type CallRunInput = Omit<ExecuteInput, 'confirmed' | 'approved' | 'refused' | 'secrets'>;

/** A run of the Parser: the calls of a text, or the one with that index. */
export interface ParserRunInput {
  /** Made by the caller. */
  runId: string;
  text: string;
  call?: number | undefined;
}

/** A run of saved calls. */
export interface CollectionRunInput {
  /** Made by the caller. */
  runId: string;
  folder: string;
  environment?: string | undefined;
  /** Files of the calls; all of the collection if absent. */
  only?: string[] | undefined;
  bail?: boolean | undefined;
  confirmed?: boolean | undefined;
}

/** What a window started, by kind. */
export interface RunInputs {
  call: CallRunInput;
  series: RepeatInput;
  parser: ParserRunInput;
  collection: CollectionRunInput;
}

/** A run as a window needs it to show it again. Secrets are not in it. */
export type RunView = {
  [Kind in keyof RunInputs]: {
    kind: Kind;
    /** The `callId`, `seriesId` or `runId` of its input. */
    id: string;
    input: RunInputs[Kind];
    /** Epoch ms. */
    startedAt: number;
  };
}[keyof RunInputs];

/**
 * A call or a series asks the user before the tool is called: the question, then the decision and when it came (epoch ms). After a no
 * the run is over.
 */
export type RunQuestion = { question: { danger?: string } } | { allowed: boolean; at: number };
