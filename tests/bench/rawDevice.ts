/**
 * The device's end of the bench against the official client, in a thread of its own: WebSocket frames by hand on a plain
 * TCP socket and answers made beforehand, so that the device's cost hides little of what the other end costs.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { tools } = workerData as { tools: number };

const results: Record<string, string> = {
  initialize: JSON.stringify({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': JSON.stringify({
    tools: Array.from({ length: tools }, (_, index) => ({
      name: index === 0 ? 'self.set' : `self.set_${index}`,
      description: 'Sets.',
      inputSchema: { type: 'object', properties: { volume: { type: 'integer' } } },
    })),
  }),
  'tools/call': JSON.stringify({ content: [{ type: 'text', text: 'true' }], isError: false }),
};
const mask = [0x5a, 0x31, 0xc7, 0x8e];
const hello = '{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}';

/** A whole text frame, masked as a client's must be, and where its payload begins. */
function frameOf(text: string): { frame: Buffer; at: number } {
  const bytes = Buffer.byteLength(text);
  const header = bytes < 126 ? [0x81, 0x80 | bytes] : [0x81, 0xfe, bytes >> 8, bytes & 255];
  const frame = Buffer.concat([Buffer.from([...header, ...mask]), Buffer.from(text)]);
  const at = header.length + mask.length;
  for (let index = at; index < frame.length; index += 1) frame[index]! ^= mask[(index - at) & 3]!;
  return { frame, at };
}

/** Answers by method and by digits of the id, all of which are 0. */
const answers = new Map<string, { frame: Buffer; at: number }>();
const beforeId = '{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":';

function answer(method: string, id: string): Buffer {
  const key = `${id.length} ${method}`;
  let made = answers.get(key);
  if (made === undefined) {
    made = frameOf(`${beforeId}${'0'.repeat(id.length)},"result":${results[method] ?? '{}'}}}`);
    answers.set(key, made);
  }
  const frame = Buffer.from(made.frame);
  for (let index = 0; index < id.length; index += 1) {
    const place = beforeId.length + index;
    frame[made.at + place] = id.charCodeAt(index) ^ mask[place & 3]!;
  }
  return frame;
}

const idIn = /"id":(\d+)/;
const methodIn = /"method":"([^"]*)"/;

function answerTo(text: string): Buffer | undefined {
  const [, id] = idIn.exec(text) ?? [];
  const [, method] = methodIn.exec(text) ?? [];
  return id === undefined || method === undefined ? undefined : answer(method, id);
}

function open({ hostname: host, port, pathname }: URL): void {
  const socket = connect({ host, port: Number(port), noDelay: true });
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nDevice-Id: 02:00:00:00:00:01\r\n\r\n`,
  );
  let rest: Buffer = Buffer.alloc(0);
  let upgraded = false;

  /** Takes whole frames out of what came; answers of one read leave in one write. */
  function take(data: Buffer): void {
    const made: Buffer[] = [];
    let at = 0;
    while (data.length - at >= 2) {
      if (data[at] === 0x88) return void socket.destroy();
      const short = data[at + 1]! & 127;
      const start = at + (short === 126 ? 4 : 2);
      if (data.length < start) break;
      const end = start + (short === 126 ? data.readUInt16BE(at + 2) : short);
      if (data.length < end) break;
      const frame = answerTo(data.toString('latin1', start, end));
      if (frame !== undefined) made.push(frame);
      at = end;
    }
    rest = data.subarray(at);
    if (made.length > 0) socket.write(made.length === 1 ? made[0]! : Buffer.concat(made));
  }

  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    const all = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    if (upgraded) return take(all);
    rest = all;
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) return;
    if (!all.toString('latin1', 0, end).startsWith('HTTP/1.1 101 ')) throw new Error('The server did not upgrade.');
    upgraded = true;
    socket.write(frameOf(hello).frame);
    take(all.subarray(end + 4));
  });
}

// Each message asks for one more connection, to that address.
parentPort?.on('message', (url: string) => open(new URL(url)));
