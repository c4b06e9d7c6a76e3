/** The kinds of items in the trash. `key` is that of a model, `gatewayLog` the log of all clients. */
export type RemovedKind =
  | 'chat'
  | 'capture'
  | 'file'
  | 'log'
  | 'device'
  | 'picture'
  | 'realtime'
  | 'model'
  | 'realtimeModel'
  | 'key'
  | 'gatewayLog';

/** A removed item that can be restored. */
export interface RemovedThing {
  id: string;
  kind: RemovedKind;
  name: string;
  /** Epoch ms. */
  at: number;
  /** Of a file its folder, of a key the secret's name, else the id of what it is, or of the device whose log it is. */
  of: string;
  /** Of a file. */
  file?: string;
  /** It is held in memory: until Toolwire closes. */
  untilClosed?: true;
}
