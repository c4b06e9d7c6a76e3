import { afterEach } from 'vitest';
import type { AnyChunk, EventChunk } from '../../../src-core/realtime/chunks.ts';
import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import type { RealtimeProviderOptions } from '../../../src-core/realtime/providers/socketRealtimeProvider.ts';
import type { BaseRealtimeProvider } from '../../../src-core/realtime/baseRealtimeProvider.ts';
import type { RealtimeWireEvent } from '../../../src-core/base/realtimeTypes.ts';
import type { Clock } from '../../../src-core/base/clock.ts';
import type { ToolDefinition } from '../../../src-core/registry/toolDefinition.ts';
import { startRealtimeSocket, type RealtimePeer, type RealtimeSocketServer } from '../../fakes/realtimeSocket.ts';

const closers: (() => Promise<unknown>)[] = [];

/** Closed when the test ends, last first. */
export function atEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A clock that a test moves by hand. */
export class HandClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  wall = (): number => 1_700_000_000_000 + this.#now;
  now = (): number => this.#now;

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Passes so many ms, with what is due in them in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.at;
      due.run();
    }
    this.#now = end;
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

/** The class of chunks of a type. */
type ChunkOf<T extends AnyChunk['type']> = T extends EventChunk['type'] ? EventChunk : Extract<AnyChunk, { type: T }>;

/** What came out of a provider. */
export class Heard {
  readonly chunks: AnyChunk[] = [];
  readonly wire: RealtimeWireEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(provider: BaseRealtimeProvider) {
    provider.setEventHandler((chunk) => {
      this.chunks.push(chunk);
      for (const check of this.#waiting) check();
    });
    provider.setWireHandler((event) => this.wire.push(event));
  }

  of<T extends AnyChunk['type']>(type: T): ChunkOf<T>[] {
    return this.chunks.filter((chunk): chunk is ChunkOf<T> => chunk.type === type);
  }

  /** Resolves with all chunks of this type once there are so many. */
  until<T extends AnyChunk['type']>(type: T, count = 1): Promise<ChunkOf<T>[]> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.of(type);
        if (found.length < count) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}

export const weatherTool: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export interface Bed {
  server: RealtimeSocketServer;
  provider: BaseRealtimeProvider;
  heard: Heard;
  clock: HandClock;
  peer: RealtimePeer;
}

/** A provider that is connected to a server which a test steers. */
export async function connectedBed(
  make: (options: RealtimeProviderOptions) => BaseRealtimeProvider = (options) => new OpenAIRealtimeProvider(options),
): Promise<Bed> {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const clock = new HandClock();
  const provider = make({ url: server.url, model: 'test-model', key: 'sk-test-0123456789', clock });
  atEnd(async () => {
    const closed = provider.disconnect();
    clock.pass(60_000);
    await closed;
  });
  const heard = new Heard(provider);
  const connecting = provider.connect();
  const peer = await server.nextPeer();
  await peer.greet();
  await connecting;
  return { server, provider, heard, clock, peer };
}

/** A whole response that calls tools. */
export function callResponse(
  responseId: string,
  calls: { id: string; name?: string; args?: string; status?: string }[],
  { status = 'completed' }: { status?: string } = {},
): { type: string; [key: string]: unknown }[] {
  return [
    { type: 'response.created', response: { id: responseId, status: 'in_progress' } },
    ...calls.map(({ id, name = 'get_weather', args = '{"city":"Oslo"}', status: itemStatus = 'completed' }, index) => ({
      type: 'response.output_item.done',
      response_id: responseId,
      output_index: index,
      item: { id: `item_${id}`, type: 'function_call', status: itemStatus, call_id: id, name, arguments: args },
    })),
    { type: 'response.done', response: { id: responseId, status, output: [] } },
  ];
}
