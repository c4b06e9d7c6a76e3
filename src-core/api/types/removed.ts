/** Something that was removed and can still be brought back. */
export interface RemovedThing {
  id: string;
  /** A chat, an imported capture, or a file of a collection. */
  kind: 'chat' | 'capture' | 'file';
  name: string;
  /** Epoch ms. */
  at: number;
  /** Of a chat or capture its id, of a file its folder. */
  of: string;
  /** Of a file. */
  file?: string;
}
