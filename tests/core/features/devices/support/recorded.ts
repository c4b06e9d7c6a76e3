import { existsSync, readFileSync } from 'node:fs';

import type { CaptureFrame } from '../../../../../src-core/features/captures/captureFrame.ts';

const corpus = new URL('../../../../../../shared/corpus/', import.meta.url);

/** Whether the recordings of real clients are on this machine. */
export const hasCorpus = existsSync(corpus);

/** An MCP message of a device's connection, as our log keeps it. */
export function mcpFrame(seq: number, payload: object, change: Partial<CaptureFrame> = {}): CaptureFrame {
  const text = JSON.stringify({ session_id: '', type: 'mcp', payload });
  const { id, method } = payload as { id?: number; method?: string };
  return {
    seq,
    at: 1_700_000_000_000 + seq,
    direction: method === undefined ? 'in' : 'out',
    kind: 'text',
    type: 'mcp',
    role: method === undefined ? 'answer' : 'request',
    summary: '',
    bytes: text.length,
    text,
    ...(id !== undefined && { rpcId: id }),
    ...(method !== undefined && { method }),
    ...change,
  };
}

/**
 * A transcript of the corpus as the frames that our log would have kept of it. The transcript cuts long lists, which
 * come whole from the file of tools; other answers that it cuts are left out.
 */
export function transcriptFrames(transcript: string, tools: string): CaptureFrame[] {
  const methods = new Map<number, string>();
  const frames: CaptureFrame[] = [];
  const read = (file: string): string => readFileSync(new URL(file, corpus), 'utf8');
  const listed = JSON.parse(read(tools)) as object[];
  for (const line of read(transcript).split('\n')) {
    const found = /^[\d:.]+ (?:(>>)|<< (?:\d+B|MALFORMED JSON for id \d+)) (\{.*)$/.exec(line);
    const [, out, text = ''] = found ?? [];
    const id = Number(/"id": ?(\d+)/.exec(text)?.[1]);
    if (Number.isNaN(id)) continue;
    const seq = frames.length + 1;
    if (out !== undefined) {
      const payload = (JSON.parse(text) as { payload: { method: string } }).payload;
      methods.set(id, payload.method);
      frames.push(mcpFrame(seq, payload, { text }));
      continue;
    }
    const method = methods.get(id) ?? '';
    const answer = { jsonrpc: '2.0', id, result: { tools: listed } };
    if (method === 'tools/list') frames.push(mcpFrame(seq, answer, { method }));
    else if (!text.endsWith('…')) frames.push(mcpFrame(seq, answer, { method, text }));
  }
  return frames;
}
