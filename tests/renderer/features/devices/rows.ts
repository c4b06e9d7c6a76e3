import type { FrameRow } from '../../../../src-core/contract/types.ts';

/** A row of a log. By default, a text frame that was sent. */
export const row = (about: Partial<FrameRow> & { seq: number }): FrameRow => ({
  source: 'device',
  connection: 'device',
  at: about.seq,
  direction: 'out',
  kind: 'text',
  type: 'mcp',
  summary: '',
  bytes: 0,
  ...about,
});

export const request = (seq: number, rpcId: number): FrameRow =>
  row({ seq, rpcId, role: 'request', method: 'tools/call', summary: 'tools/call self.x', bytes: 300 });

export const answer = (seq: number, rpcId: number): FrameRow =>
  row({ seq, rpcId, role: 'answer', method: 'tools/call', summary: 'result', direction: 'in' });
