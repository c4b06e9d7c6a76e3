/** One event of a realtime connection, as it went over the wire. */
export interface RealtimeWireEvent {
  direction: 'in' | 'out';
  /** Epoch ms. */
  at: number;
  /** `response.done`; `invalid` for what is not a JSON object with a type; `open`, `close` and `lost` for the connection's own. */
  type: string;
  /** The server has sent an event that we know no meaning of. */
  unknown?: true;
  /** JSON as it went, sound in it cut to its length: `"audio":"<4800 bytes>"`. At most 64 KiB. */
  text: string;
  /** Bytes of the frame. */
  bytes: number;
  responseId?: string;
  itemId?: string;
  callId?: string;
}
