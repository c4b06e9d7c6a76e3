import type { CallRecord, FrameRow } from '../../../../src-core/contract/types.ts';

/** If a call has frames of the MCP host that made it as well as of its tool: the name of the peer of a frame. */
export function callSides(
  call: Pick<CallRecord, 'host' | 'source'> | undefined,
  frames: readonly FrameRow[],
): ((row: FrameRow) => string) | undefined {
  if (call === undefined || new Set(frames.map(({ source }) => source)).size < 2) return undefined;
  const { host = '', source } = call;
  return (row) => (row.source === 'host' ? host : source.label);
}
