/** The parts of `node:tls` and `node:http` that are used. Electron's Node is built with BoringSSL and may lack them. */
export interface NetworkParts {
  tls: {
    getCACertificates?: (type: 'default' | 'system') => string[];
    setDefaultCACertificates?: (certificates: string[]) => void;
  };
  http: { setGlobalProxyFromEnv?: (env: Record<string, string>) => unknown };
  env: Readonly<Record<string, string | undefined>>;
  onError(error: unknown): void;
}

/** A model server on this machine is never reached through a proxy. */
const direct = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Makes Node's requests work in a corporate network: the certificate authorities that the system trusts are trusted, and
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY apply. In a package, a fuse makes Node ignore NODE_OPTIONS and NODE_EXTRA_CA_CERTS. A
 * failure is reported, and Node's own certificates and direct connections remain in use.
 */
export function useSystemNetwork({ tls, http, env, onError }: NetworkParts): void {
  try {
    const { getCACertificates, setDefaultCACertificates } = tls;
    if (!getCACertificates || !setDefaultCACertificates) throw new Error('This Node does not know the call.');
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
  } catch (cause) {
    onError(new Error('The system’s certificate authorities cannot be used.', { cause }));
  }
  const httpProxy = env['http_proxy'] || env['HTTP_PROXY'];
  const httpsProxy = env['https_proxy'] || env['HTTPS_PROXY'];
  if (!httpProxy && !httpsProxy) return;
  try {
    if (!http.setGlobalProxyFromEnv) throw new Error('This Node does not know the call.');
    http.setGlobalProxyFromEnv({
      ...(httpProxy && { http_proxy: httpProxy }),
      ...(httpsProxy && { https_proxy: httpsProxy }),
      no_proxy: [env['no_proxy'] || env['NO_PROXY'] || [], direct].flat().join(','),
    });
  } catch (cause) {
    onError(new Error('The proxy of HTTP_PROXY and HTTPS_PROXY cannot be used.', { cause }));
  }
}
