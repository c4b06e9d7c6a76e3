import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** An MCP request as it reaches the device. */
export interface WireRequest {
  id?: number;
  method: string;
  params?: { cursor?: string; name?: string; arguments?: Record<string, unknown>; [key: string]: unknown };
}

export interface ScriptedDeviceOptions {
  headers?: Record<string, string>;
  /** Answers MCP requests: an object is sent as the JSON-RPC message, a string as the frame itself, `undefined` not at all. */
  answer?: (request: WireRequest) => object | string | undefined;
}

/** A device that does just what a test says, over a real socket. */
export interface ScriptedDevice {
  socket: WebSocket;
  /** Every frame that came, as it was; binary ones in hexadecimal digits. */
  raw: { text: string; isBinary: boolean }[];
  /** Every text frame that came and is JSON, parsed. */
  received: { type: string; payload?: WireRequest; [key: string]: unknown }[];
  requests: WireRequest[];
  send: (frame: object | string) => void;
  hello: (more?: object) => void;
  /** Resolves with the first frame, past or coming, that fits. */
  frame: (fits: (frame: ScriptedDevice['received'][number]) => boolean) => Promise<ScriptedDevice['received'][number]>;
  /** Resolves with the first MCP request, past or coming, of this method (and tool). */
  request: (method: string, tool?: string) => Promise<WireRequest>;
  closed: Promise<{ code: number; reason: string }>;
}

export const standardTools = [
  {
    name: 'self.audio_speaker.set_volume',
    description: 'Sets the volume.',
    inputSchema: {
      type: 'object',
      properties: { volume: { type: 'integer', minimum: 0, maximum: 100 } },
      required: ['volume'],
    },
  },
  { name: 'self.get_device_status', description: 'Reports.', inputSchema: { type: 'object', properties: {} } },
];

/** What a plain board answers. */
export function standardAnswer({ id, method }: WireRequest): object | undefined {
  if (id === undefined) return undefined;
  const result = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'host-sim', version: '2.4.2' },
    },
    'tools/list': { tools: standardTools },
    'tools/call': { content: [{ type: 'text', text: 'true' }], isError: false },
  }[method];
  return { jsonrpc: '2.0', id, result };
}

export async function connectScripted(url: string, options: ScriptedDeviceOptions = {}): Promise<ScriptedDevice> {
  const { answer = standardAnswer, headers = { 'Device-Id': '02:00:00:aa:bb:cc' } } = options;
  const socket = new WebSocket(url, { perMessageDeflate: false, headers });
  const raw: ScriptedDevice['raw'] = [];
  const received: ScriptedDevice['received'] = [];
  const requests: WireRequest[] = [];
  const waiting = new Set<() => void>();

  const send = (frame: object | string) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  socket.on('message', (data, isBinary) => {
    const text = (data as Buffer).toString(isBinary ? 'hex' : 'utf8');
    raw.push({ text, isBinary });
    const message = isBinary ? undefined : parsed(text);
    if (message === undefined) return;
    received.push(message);
    if (message.payload !== undefined) {
      requests.push(message.payload);
      const reply = answer(message.payload);
      if (typeof reply === 'string') send(reply);
      else if (reply !== undefined) send({ session_id: '', type: 'mcp', payload: reply });
    }
    for (const check of [...waiting]) check();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });

  /** Looks now and after each frame; the connection's end fails it, so that no test hangs. */
  function until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      void closed.then(({ code }) => reject(new Error(`closed with ${code} before the frame came`)));
    });
  }

  await once(socket, 'open');
  return {
    socket,
    raw,
    received,
    requests,
    send,
    hello: (more = {}) =>
      send({
        type: 'hello',
        version: 1,
        features: { mcp: true },
        transport: 'websocket',
        audio_params: { format: 'opus' },
        ...more,
      }),
    frame: (fits) => until(() => received.find(fits)),
    request: (method, tool) =>
      until(() =>
        requests.find((request) => request.method === method && (tool === undefined || request.params?.name === tool)),
      ),
    closed,
  };
}

function parsed(text: string): ScriptedDevice['received'][number] | undefined {
  try {
    return JSON.parse(text) as ScriptedDevice['received'][number];
  } catch {
    return undefined; // A person may send anything; it stands in `raw`.
  }
}

/** The TCP socket under a client, to cut or to starve; `ws` keeps it to itself. */
export function tcpOf(socket: WebSocket): Duplex {
  return (socket as unknown as { _socket: Duplex })._socket;
}
