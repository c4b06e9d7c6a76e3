import { once } from 'node:events';
import { WebSocket } from 'ws';

/** What a process holds after a full collection, in MB. */
export interface ProcessMemory {
  heap: number;
  resident: number;
}

/** A Node process, seen through its inspector. */
export interface Inspector {
  /** Value of a JavaScript expression in the main thread of the process, as JSON carries it. A promise is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Collects garbage, then measures. */
  memory(): Promise<ProcessMemory>;
  close(): void;
}

interface Answer {
  id: number;
  result?: { result?: { value?: unknown }; exceptionDetails?: unknown };
  error?: unknown;
}

/** Connects to the inspector that a process printed with `--inspect`. */
export async function inspectProcess(inspectorUrl: string): Promise<Inspector> {
  const socket = new WebSocket(inspectorUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  const closed = once(socket, 'close').then(() => Promise.reject<never>(new Error('The process ended')));
  // Nothing may be waiting for an answer then.
  closed.catch(() => undefined);
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ask = async (method: string, params: object = {}): Promise<Answer['result']> => {
    const id = ++lastId;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, result } = await Promise.race([answered, closed]);
    const failure = error ?? result?.exceptionDetails;
    if (failure !== undefined) throw new Error(`${method}: ${JSON.stringify(failure)}`);
    return result;
  };
  const evaluate = async <T>(expression: string): Promise<T> => {
    const result = await ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return result?.result?.value as T;
  };
  return {
    evaluate,
    async memory() {
      // The second collection frees what the finalizers of the first released.
      for (let times = 0; times < 2; times++) await ask('HeapProfiler.collectGarbage');
      const { heapUsed, rss } = await evaluate<NodeJS.MemoryUsage>('process.memoryUsage()');
      return { heap: heapUsed / 1e6, resident: rss / 1e6 };
    },
    close: () => socket.close(),
  };
}
