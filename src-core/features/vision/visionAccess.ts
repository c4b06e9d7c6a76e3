import { randomBytes } from 'node:crypto';
import { RequestError } from '../../base/requestError.ts';
import type { PictureGuest, PicturePass } from '../devices/entry/pictureGuest.ts';

/**
 * The path of all addresses for pictures. Without a cluster, questions are posted to `/mcp/vision/explain`, by convention
 * (docs/protocols/xiaozhi.md#vision), and each picture of a screen to `/mcp/vision/snapshot/KEY`. In a cluster, the id of the node
 * follows the prefix: a picture can reach any node.
 */
export const visionPath = '/mcp/vision/';

/** An address that takes one picture of a device's screen, once. */
export interface SnapshotTicket {
  url: string;
  /** The id of the picture, once it was received. */
  pictureId: () => string | undefined;
  /** Revokes the address. */
  end: () => void;
}

interface Admitted {
  guest: PictureGuest;
  /** `http://host:port`, as the device reached it. */
  origin: string;
}

interface Expected {
  guest: PictureGuest;
  deliver: (pictureId: string) => void;
}

/** Who may post pictures: connections by their token, and pictures of screens by an address that cannot be guessed. */
export class VisionAccess {
  readonly #admitted = new Map<string, Admitted>();
  readonly #expected = new Map<string, Expected>();
  readonly #node: () => string | undefined;

  /** `node`: the id of this node in a cluster. */
  constructor(node: () => string | undefined = () => undefined) {
    this.#node = node;
  }

  /** Lets a connection post, at the address that it used to reach us. */
  admit(guest: PictureGuest, origin: string): PicturePass {
    const token = createSecret();
    this.#admitted.set(token, { guest, origin });
    return { url: `${this.#placeAt(origin)}explain`, token, revoke: () => void this.#admitted.delete(token) };
  }

  /** The connection that the token belongs to. */
  guestOf(token: string): PictureGuest | undefined {
    return this.#admitted.get(token)?.guest;
  }

  /**
   * Creates an address for one picture of a connected device's screen.
   * @throws {RequestError} If it is not connected.
   */
  expectSnapshot(deviceId: string): SnapshotTicket {
    const admitted = [...this.#admitted.values()].findLast(({ guest }) => guest.deviceId() === deviceId);
    if (admitted === undefined)
      throw new RequestError('The device is not connected. Let it connect first.', { field: 'deviceId' });
    const { guest, origin } = admitted;
    const key = createSecret();
    let pictureId: string | undefined;
    this.#expected.set(key, { guest, deliver: (id) => (pictureId = id) });
    return {
      url: `${this.#placeAt(origin)}snapshot/${key}`,
      pictureId: () => pictureId,
      end: () => void this.#expected.delete(key),
    };
  }

  /** Whether an address with this secret was created here and is still valid. */
  knows(secret: string): boolean {
    return this.#admitted.has(secret) || this.#expected.has(secret);
  }

  #placeAt(origin: string): string {
    const node = this.#node();
    return `${origin}${visionPath}${node === undefined ? '' : `${node}/`}`;
  }

  /** Uses up an expected picture: its address is valid once. */
  takeSnapshot(key: string): Expected | undefined {
    const expected = this.#expected.get(key);
    this.#expected.delete(key);
    return expected;
  }
}

function createSecret(): string {
  return randomBytes(24).toString('base64url');
}
