/** A cable between a node and its broker that can be cut, or made slow. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Every so many pieces, one is lost: TCP sends it again after a while. */
const lossyEvery = 20;
const resentAfterMs = 400;

export interface Cable {
  readonly url: string;
  /** Nothing passes, in either direction, and no connection ends. */
  cut(): void;
  mend(): void;
  /** Every piece is delayed; `isLossy`: one of 20 is lost, and what follows waits until it was sent again. */
  slow(given: { delayMs: number; isLossy: boolean }): void;
  /** What the node has sent. */
  sent(): string;
  close(): void;
}

export async function openCable({ port }: { port: number }): Promise<Cable> {
  const ends = new Set<Socket>();
  const sent: Buffer[] = [];
  let isCut = false;
  let slowness = { delayMs: 0, isLossy: false };

  function carry(from: Socket, to: Socket): void {
    const waiting: { at: number; piece: Buffer }[] = [];
    let pieces = 0;
    const pump = (): void => {
      for (let [next] = waiting; next !== undefined; [next] = waiting) {
        const ms = Math.ceil(next.at - performance.now());
        if (ms > 0) return void setTimeout(pump, ms);
        to.write(next.piece);
        waiting.shift();
      }
    };
    ends.add(from);
    from.setNoDelay(true);
    from.on('data', (piece: Buffer) => {
      pieces += 1;
      const wait = slowness.delayMs + (slowness.isLossy && pieces % lossyEvery === 0 ? resentAfterMs : 0);
      const at = Math.max(waiting.at(-1)?.at ?? 0, performance.now() + wait);
      if (waiting.push({ at, piece }) === 1) pump();
    });
    from.on('error', () => to.destroy()).on('close', () => void (ends.delete(from), to.destroy()));
    if (isCut) from.pause();
  }

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.on('data', (piece: Buffer) => void sent.push(piece));
    carry(near, far);
    carry(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      for (const end of ends) end.pause();
    },
    mend: () => {
      isCut = false;
      for (const end of ends) end.resume();
    },
    slow: (given) => void (slowness = given),
    sent: () => Buffer.concat(sent).toString('latin1'),
    close: () => {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}
