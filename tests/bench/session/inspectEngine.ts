import { once } from 'node:events';
import { WebSocket } from 'ws';

/** What the engine's process holds after a full collection, in MB. */
export interface EngineMemory {
  heap: number;
  resident: number;
}

interface Answer {
  id: number;
  result?: { result?: { value?: { heapUsed: number; rss: number } } };
  error?: unknown;
}

/** Asks a Node process over its inspector, which nothing but the question needs: collects garbage twice, then measures. */
export async function measureEngine(inspectorUrl: string): Promise<EngineMemory> {
  const socket = new WebSocket(inspectorUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  let lastId = 0;
  const ask = async (method: string, params: object = {}): Promise<Answer> => {
    const id = ++lastId;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [data] = (await once(socket, 'message')) as [Buffer];
      const answer = JSON.parse(data.toString()) as Answer;
      if (answer.id !== id) continue;
      if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
      return answer;
    }
  };
  try {
    // What the first collection finalizes, the second lets go.
    for (let times = 0; times < 2; times++) await ask('HeapProfiler.collectGarbage');
    const { result } = await ask('Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true });
    const value = result?.result?.value;
    if (value === undefined) throw new Error('The engine did not say what it holds');
    return { heap: value.heapUsed / 1e6, resident: value.rss / 1e6 };
  } finally {
    socket.close();
  }
}
