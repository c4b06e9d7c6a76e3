/** One frame or event on a client's connection, as a log takes it. */
export interface GatewayFrame {
  direction: 'in' | 'out';
  kind: 'open' | 'text' | 'binary' | 'close' | 'note';
  /** The message's type; `invalid` for what has none. */
  type: string;
  /** What it says, in a few words. */
  summary: string;
  /** Size on the wire. */
  bytes: number;
  /** As it went. */
  text?: string;
  /** The call that it carries or answers. */
  callId?: string;
  /** It says that something failed. */
  failed?: boolean;
}
