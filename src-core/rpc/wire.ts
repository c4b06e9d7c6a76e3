/** What a carrier provides: messages in order, both ways, until it closes. Text or bytes; oRPC's peer encodes them. */
export interface Wire {
  send(message: string | ArrayBufferLike | Uint8Array): void;
  onMessage(listener: (message: string | ArrayBufferLike | Uint8Array) => void): void;
  /** Called once, however the wire was closed. */
  onClose(listener: () => void): void;
  close(): void;
}
