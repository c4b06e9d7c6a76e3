/** What bounds a connection: a server is untrusted too. */
export interface DeviceLimits {
  /** ms for the handshake, and for the server's hello after it (both real clients wait 10 s, docs/protocols/xiaozhi.md). */
  helloTimeoutMs: number;
  /** Bytes of one message from the server. */
  maxPayload: number;
  /** Bytes that may wait for a server that does not read. */
  maxUnsent: number;
  /** ms from our close frame to cutting the TCP connection. */
  closeGraceMs: number;
}

export const defaultDeviceLimits: Readonly<DeviceLimits> = Object.freeze({
  helloTimeoutMs: 10_000,
  maxPayload: 4 * 1024 * 1024,
  maxUnsent: 8 * 1024 * 1024,
  closeGraceMs: 1_000,
});
