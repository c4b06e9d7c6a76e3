/** The device's end of device.bench.ts, in a thread of its own: so many sockets, each answering at once. */
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** What the bench asks of the thread. */
export interface DevicePeerData {
  url: string;
  sockets: number;
  /** `bare` answers JSON-RPC as it is, `xiaozhi` says hello and wraps the same answers in the mcp envelope. */
  kind: 'bare' | 'xiaozhi';
  serverName: string;
}

const { url, sockets, kind, serverName } = workerData as DevicePeerData;

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

for (let index = 0; index < sockets; index += 1) {
  const mac = `02:00:00:00:00:${index.toString(16).padStart(2, '0')}`;
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: { 'Device-Id': mac } });
  socket.on('message', (data) => answer(socket, (data as Buffer).toString()));
  socket.on('open', () => {
    if (kind === 'xiaozhi') socket.send('{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}');
  });
}

parentPort?.on('message', () => process.exit(0));
