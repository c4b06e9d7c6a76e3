import type { CallDecision } from '../calls/callQuestions.ts';
import type { AskingSource } from './sharedQuestions.ts';

interface Asking {
  decide: (input: CallDecision) => unknown;
  attend: (input: { callId: string }) => unknown;
}
type Questions = ReturnType<AskingSource['list']>;

/** Everything at this node that asks the user about calls, except chats. */
export function askingSources(options: {
  runs: { service: Asking; asking: () => Questions };
  /** Each lists its questions itself. */
  listing: readonly (Asking & { questions: () => Questions })[];
  /** Those of other features. */
  others: readonly AskingSource[];
}): AskingSource[] {
  const { runs, listing, others } = options;
  return [sourceOf(runs.service, runs.asking), ...listing.map((one) => sourceOf(one, one.questions)), ...others];
}

function sourceOf({ decide, attend }: Asking, list: AskingSource['list']): AskingSource {
  return { list, decide: (input) => void decide(input), attend: (callId) => void attend({ callId }) };
}
