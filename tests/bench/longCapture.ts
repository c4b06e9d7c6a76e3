/** The file of a capture of so many frames, in pieces: calls with their answers, `listen` between, audio after. */
export function* captureOf(frames: number): Generator<string> {
  const device = { name: 'Long one', deviceId: '02:00:00:00:00:09', board: 'bench', firmware: '1.0.0' };
  let lines = [JSON.stringify({ toolwire: 'capture', version: 1, device, exportedAt: 1_767_225_600_000 })];
  for (let seq = 0; seq < frames; seq += 4) {
    const rpcId = seq / 4 + 1;
    const at = 1_767_225_000_000 + seq;
    const summary = `tools/call self.light.set_${rpcId % 50}`;
    const call = { rpcId, method: 'tools/call', summary, kind: 'text', type: 'mcp' };
    const request = JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: rpcId, method: 'tools/call' } });
    const content = [{ type: 'text', text: `needle-${rpcId % 1_000}` }];
    const answer = JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: rpcId, result: { content } } });
    lines.push(
      JSON.stringify({ seq, at, direction: 'out', role: 'request', ...call, bytes: request.length, text: request }),
      JSON.stringify({ ...listen, seq: seq + 1, at: at + 1 }),
      JSON.stringify({ seq: seq + 2, at: at + 2, direction: 'in', role: 'answer', ...call, ...answerFacts(answer) }),
      JSON.stringify({ ...audio, seq: seq + 3, at: at + 3 }),
    );
    if (lines.length < 4_000) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

const listen = {
  direction: 'in',
  kind: 'text',
  type: 'listen',
  summary: 'listen start',
  bytes: 33,
  text: '{"type":"listen"}',
};
const audio = { direction: 'in', kind: 'binary', type: 'audio', summary: '3 audio frames', bytes: 300 };
const answerFacts = (text: string) => ({ bytes: text.length, durationMs: 1.5, text });
