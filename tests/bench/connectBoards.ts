import { connectScripted } from '../core/features/devices/support/scriptedDevice.ts';
import type { WireRequest } from '../core/features/devices/support/scriptedDevice.ts';

const tools = Array.from({ length: 32 }, (_, index) => ({
  name: `self.tool_${index}`,
  description: 'Does one thing well, and says so in a sentence of the usual length.',
  inputSchema: { type: 'object', properties: { level: { type: 'integer', minimum: 0, maximum: 100 } } },
}));
const results: Record<string, object> = {
  initialize: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'bench', version: '1.0.0' } },
  'tools/list': { tools },
};
const answer = ({ id, method }: WireRequest): object | undefined =>
  id === undefined ? undefined : { jsonrpc: '2.0', id, result: results[method] ?? {} };

/** Connects so many boards of 32 tools, as they come: by OTA, then over a socket. Returns how to drop them. */
export async function connectBoards(otaUrl: string, count: number): Promise<() => void> {
  const sockets: { terminate(): void }[] = [];
  for (let index = 0; index < count; index++) {
    const mac = `02:00:01:00:${hex(index >> 8)}:${hex(index & 255)}`;
    const ids = { 'Device-Id': mac, 'Client-Id': mac };
    const response = await fetch(otaUrl, {
      method: 'POST',
      headers: { ...ids, 'Content-Type': 'application/json' },
      body: JSON.stringify({ application: { version: '1.0.0' }, board: { type: 'bench', name: `Board ${index}` } }),
    });
    const { websocket } = (await response.json()) as { websocket: { url: string; token: string } };
    const headers = { ...ids, Authorization: `Bearer ${websocket.token}` };
    const board = await connectScripted(websocket.url, { headers, answer });
    board.hello();
    sockets.push(board.socket);
  }
  return () => sockets.forEach((socket) => socket.terminate());
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
