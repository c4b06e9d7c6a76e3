import type { ChatAssistantEntry, ChatStop } from '../../contract/chat.ts';
import { closeCalls } from './settleCall.ts';

/** Ends a step that was left half-way: its open calls are cancelled, and `why` is their result. One that has ended stays as it is. */
export function closeEntry(entry: ChatAssistantEntry, { why, because }: { why: string; because: ChatStop }): void {
  if (entry.state === 'ended') return;
  closeCalls(entry.calls, why);
  entry.state = 'ended';
  entry.stoppedBecause = because;
}
