/** Addresses of NATS servers: `nats://HOST` or `tls://HOST`, with or without a port; several are separated by commas. */
export function isBrokerAddress(text: string, { mayHaveUser = false } = {}): boolean {
  return text.split(',').every((one) => {
    const url = URL.parse(one.trim());
    if (url === null || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '') return false;
    return /^\/?$/.test(url.pathname + url.search + url.hash) && (mayHaveUser || url.username === '');
  });
}

/** The addresses of the brokers, without a user. */
export function serversOf(url: string): string[] {
  return url.split(',').map((one) => {
    const { protocol, host } = new URL(one.trim());
    return `${protocol}//${host}`;
  });
}
