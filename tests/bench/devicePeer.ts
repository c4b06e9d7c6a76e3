/** The device's end of the benches of calls, in a thread of its own: so many sockets, each answering at once. */
import type { Duplex } from 'node:stream';
import { workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** What the bench asks of the thread. */
export interface DevicePeerData {
  url: string;
  sockets: number;
  /** `bare` answers JSON-RPC as it is, `xiaozhi` says hello and wraps the same answers in the mcp envelope. */
  kind: 'bare' | 'xiaozhi';
  serverName: string;
  /** The last byte of the first Device-Id; 0 by default. Two nodes of a cluster have no device with the same one. */
  first?: number;
  /** Answers of one turn leave in one write, so that the device is not what limits the calls. */
  gathers?: boolean;
}

const { url, sockets, kind, serverName, first = 0, gathers = false } = workerData as DevicePeerData;

const callResult = { content: [{ type: 'text', text: 'true' }], isError: false };
const results = new Map<unknown, unknown>([
  [
    'initialize',
    { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: serverName, version: '1' } },
  ],
  [
    'tools/list',
    {
      tools: [
        {
          name: 'self.set',
          description: 'Sets.',
          inputSchema: { type: 'object', properties: { volume: { type: 'integer' } } },
        },
      ],
    },
  ],
]);

interface Request {
  id?: number;
  method?: string;
  payload?: Request;
}

function answer(socket: WebSocket, text: string): void {
  const message = JSON.parse(text) as Request;
  const request = kind === 'bare' ? message : message.payload;
  if (request?.id === undefined) return;
  const reply = { jsonrpc: '2.0', id: request.id, result: results.get(request.method) ?? callResult };
  socket.send(JSON.stringify(kind === 'bare' ? reply : { session_id: '', type: 'mcp', payload: reply }));
}

function gather(transport: Duplex | undefined): void {
  if (transport === undefined || transport.writableCorked > 0) return;
  transport.cork();
  process.nextTick(() => transport.uncork());
}

function connect(index: number): void {
  const mac = `02:00:00:00:00:${index.toString(16).padStart(2, '0')}`;
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: { 'Device-Id': mac } });
  let transport: Duplex | undefined;
  socket.on('upgrade', (response) => (transport = response.socket));
  socket.on('message', (data) => {
    if (gathers) gather(transport);
    answer(socket, (data as Buffer).toString());
  });
  socket.on('open', () => {
    if (kind === 'xiaozhi') socket.send('{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}');
  });
}

for (let index = 0; index < sockets; index += 1) connect(first + index);
