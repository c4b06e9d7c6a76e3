/** What bounds a device: it is untrusted, and it may hang. */
export interface DeviceLimits {
  /** ms from the open socket to hello (docs/protocols/xiaozhi.md#hello: both clients wait 10 s themselves). */
  helloTimeoutMs: number;
  /** ms that a hello waits for the user's approval: less than the client's own 10 s. */
  approvalTimeoutMs: number;
  /** ms for the answer to initialize and to each page of tools/list. */
  requestTimeoutMs: number;
  /** ms of our silence before harmless data goes out; the firmware gives up after 120 s. */
  keepAliveMs: number;
  /** ms without a sign of life of an open connection before it is called idle; the firmware's own limit. */
  idleMs: number;
  /** ms from our close frame to cutting the TCP connection; boards never answer one. */
  closeGraceMs: number;
  /** Connections at once. */
  maxDevices: number;
  /** Departed and failed devices kept in the list, with their logs. */
  maxGone: number;
  /** Listed ones that were never approved: those that only asked OTA, say no hello or wait for approval. */
  maxStrangers: number;
  /** Connections of one other machine (`machineOf`), and of all others together, whose hello is not answered. */
  maxUngreeted: { perMachine: number; inAll: number };
  /** Bytes of a connection, headers of frames included, until its hello is answered. */
  maxEarlyBytes: number;
  /** Bytes of one WebSocket message. A larger one ends the connection with 1009. */
  maxPayload: number;
  /**
   * Bytes of one message that is parsed. The firmware sends at most 65,535. A larger one is logged and not parsed; the
   * call that it answers fails.
   */
  maxParsed: number;
  /** Bytes that may wait for a device that does not read. */
  maxUnsent: number;
  /** Calls that may wait for one device. */
  maxQueued: number;
  /** Pages, tools and JSON characters of one tools/list. */
  maxPages: number;
  maxTools: number;
  maxListChars: number;
}

/** Room for ten thousand boards, and an end for one that has run wild. */
export const defaultDeviceLimits: Readonly<DeviceLimits> = Object.freeze({
  helloTimeoutMs: 10_000,
  approvalTimeoutMs: 8_000,
  requestTimeoutMs: 10_000,
  keepAliveMs: 30_000,
  idleMs: 120_000,
  closeGraceMs: 1_000,
  maxDevices: 10_240,
  maxGone: 512,
  maxStrangers: 64,
  maxUngreeted: { perMachine: 64, inAll: 256 },
  maxEarlyBytes: 16 * 1024,
  maxPayload: 1024 * 1024,
  maxParsed: 512 * 1024,
  maxUnsent: 4 * 1024 * 1024,
  maxQueued: 1_024,
  maxPages: 64,
  maxTools: 1_024,
  maxListChars: 2 * 1024 * 1024,
});
