import type { ChatAssistantEntry } from './entries.ts';
import { closeCalls } from './settleCall.ts';

/** Ends a step that was left half-way: its open calls are cancelled for this reason. One that has ended stays as it is. */
export function closeEntry(entry: ChatAssistantEntry, why: string): void {
  if (entry.state === 'ended') return;
  closeCalls(entry.calls, why);
  entry.state = 'ended';
  entry.stoppedBecause = 'interrupted';
}
