/** A device's way through its connection. */
export type DeviceState = 'hello' | 'initializing' | 'listing' | 'ready' | 'closed' | 'failed';

/** A connected, failed or departed device, as data. */
export interface DeviceInfo {
  /** The hub's own id: stable for one device across reconnects. */
  id: string;
  /** What the device calls itself on the wire (`Device-Id`, a MAC address); untrusted text. */
  deviceId: string;
  clientId?: string;
  name: string;
  state: DeviceState;
  /** Id of its ToolRegistry while ready. */
  registryId?: string;
  toolCount: number;
  board?: string;
  firmware?: string;
  remoteAddress?: string;
  protocolVersion?: number;
  /** Epoch ms. */
  connectedAt: number;
  lastSeenAt: number;
  /** Round trip of the last answered request, ms. */
  latencyMs?: number;
  /** Started by Toolwire itself. */
  virtual: boolean;
  /** Why it failed or left. */
  error?: { code: string; message: string };
  counters: { framesIn: number; framesOut: number; binaryIn: number };
}

/** One frame or event on a device's wire. */
export interface WireFrame {
  seq: number;
  deviceId: string;
  /** Epoch ms. */
  at: number;
  direction: 'in' | 'out';
  kind: 'open' | 'text' | 'binary' | 'close' | 'note';
  /** Method or type, in a few words. */
  summary: string;
  rpcId?: number;
  callId?: string;
  /** Size on the wire. */
  bytes: number;
  /** The text as it went, cut where it is very long. Secrets are masked. */
  text?: string;
  /** Set where `text` is cut. */
  cut?: boolean;
  /** On an answer: since its request went out. */
  durationMs?: number;
}
