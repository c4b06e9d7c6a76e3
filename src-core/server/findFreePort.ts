import { createServer } from 'node:net';

/** Ports to try after the wanted one. */
const nextPorts = 20;

/** A port on `host` that no program uses: the next free one of the 20 after `taken`, else any; 0 if `host` cannot be bound at all. */
export async function findFreePort(host: string, taken: number): Promise<number> {
  for (let port = taken + 1; port <= Math.min(65_535, taken + nextPorts); port += 1)
    if ((await tryPort(host, port)) !== undefined) return port;
  return (await tryPort(host, 0)) ?? 0;
}

function tryPort(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
