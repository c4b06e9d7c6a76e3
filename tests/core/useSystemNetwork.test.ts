import { once } from 'node:events';
import * as http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import * as tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';

import { useSystemNetwork, type NetworkParts } from '../../src-core/useSystemNetwork.ts';

function use(change: Partial<NetworkParts>): unknown[] {
  const errors: unknown[] = [];
  const certificates = { getCACertificates: () => [], setDefaultCACertificates: () => undefined };
  useSystemNetwork({ tls: certificates, http: {}, env: {}, onError: (error) => errors.push(error), ...change });
  return errors;
}

async function listen(server: http.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the system’s certificate authorities are added to Node’s, each once', () => {
  const lists = { default: ['a', 'b'], system: ['b', 'c'] };
  const setDefaultCACertificates = vi.fn();
  expect(use({ tls: { getCACertificates: (type) => lists[type], setDefaultCACertificates } })).toEqual([]);
  expect(setDefaultCACertificates).toHaveBeenCalledExactlyOnceWith(['a', 'b', 'c']);
});

test.each<[string, NetworkParts['tls']]>([
  ['a Node without the calls', {}],
  [
    'a certificate that is refused',
    {
      getCACertificates: () => [],
      setDefaultCACertificates: () => {
        throw new Error('bad end line');
      },
    },
  ],
])('%s is reported, and the app goes on', (_what, parts) => {
  expect(use({ tls: parts })).toEqual([new Error('The system’s certificate authorities cannot be used.')]);
});

test('the Node of the app’s tests has the calls, by these names', () => {
  expect(tls.getCACertificates('system')).toBeInstanceOf(Array);
  expect(tls.setDefaultCACertificates).toBeInstanceOf(Function);
});

test('requests go through HTTP_PROXY, except to this machine and to NO_PROXY', async () => {
  const port = await listen(http.createServer((_request, response) => response.end('answered')));
  const tunnels: string[] = [];
  const proxy = http.createServer().on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    socket.pipe(connect(port, '127.0.0.1')).pipe(socket);
    onTestFinished(() => void socket.destroy());
  });
  const HTTP_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
  let restore: unknown;
  const setGlobalProxyFromEnv = (env: Record<string, string>): void => void (restore = http.setGlobalProxyFromEnv(env));
  onTestFinished(() => (restore as () => void)());
  const env = { HTTP_PROXY, NO_PROXY: 'intranet.invalid' };
  expect(use({ http: { setGlobalProxyFromEnv }, env })).toEqual([]);
  expect(await (await fetch('http://models.invalid/v1')).text()).toBe('answered');
  expect(await (await fetch(`http://127.0.0.1:${port}/v1`)).text()).toBe('answered');
  await expect(fetch('http://intranet.invalid/')).rejects.toThrow('fetch failed');
  expect(tunnels).toEqual(['models.invalid:80']);
});

test('without a proxy in the environment nothing is set; a proxy that cannot be used is reported', () => {
  const setGlobalProxyFromEnv = vi.fn();
  expect(use({ http: { setGlobalProxyFromEnv } })).toEqual([]);
  expect(setGlobalProxyFromEnv).not.toHaveBeenCalled();
  const [error] = use({ http: {}, env: { HTTPS_PROXY: 'http://proxy:8080' } });
  expect(error).toEqual(new Error('The proxy of HTTP_PROXY and HTTPS_PROXY cannot be used.'));
});
