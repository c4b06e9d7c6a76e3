import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nothing listens on. It is below those that systems assign (from 32768), of which another process may take
 * any before it is used.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const server = createServer();
  const isFree = await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
