import type { CallReport } from '../../contract/collections.ts';

/** A run of a collection, complete or up to where it stopped. */
export interface RunReport {
  name: string;
  /** Epoch ms. */
  startedAt: number;
  environment?: string;
  calls: CallReport[];
  /** The user stopped it. */
  stopped?: true;
  /** Why it ended early without being stopped: the engine was lost. The calls are those that ended before. */
  error?: string;
}
