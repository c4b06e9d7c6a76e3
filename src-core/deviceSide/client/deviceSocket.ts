/** What a socket is made with. */
export interface DeviceSocketOptions {
  perMessageDeflate: false;
  allowSynchronousEvents: false;
  handshakeTimeout: number;
  maxPayload: number;
  headers: Record<string, string>;
}

/** As much of a `ws` WebSocket as a device needs; named here, so that users of the library need no types of `ws`. */
export interface DeviceSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send: (data: string | Uint8Array, options: { binary?: boolean; fin?: boolean }) => void;
  close: (code?: number) => void;
  terminate: () => void;
  on(event: 'open', listener: () => void): unknown;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(
    event: 'unexpected-response',
    listener: (request: { destroy: () => unknown }, response: { statusCode?: number | undefined }) => void,
  ): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
}

/** `readyState` of the WebSocket API. */
export function isOpen({ readyState }: DeviceSocket): boolean {
  return readyState === 1;
}

export function isGone({ readyState }: DeviceSocket): boolean {
  return readyState === 3;
}
