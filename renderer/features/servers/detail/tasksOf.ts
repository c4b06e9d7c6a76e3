import type { CallRecord } from '../../../../src-core/contract/types.ts';

/** The running calls of a server that are tasks, the oldest first. */
export function tasksOf(
  running: readonly CallRecord[],
  serverId: string,
): (CallRecord & Required<Pick<CallRecord, 'task'>>)[] {
  return running
    .filter((call): call is CallRecord & Required<Pick<CallRecord, 'task'>> => call.task !== undefined)
    .filter(({ source }) => source.kind === 'mcp' && source.id === serverId)
    .sort((a, b) => a.startedAt - b.startedAt);
}
