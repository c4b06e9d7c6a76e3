import { randomBytes } from 'node:crypto';
import { RequestError } from '../../base/requestError.ts';
import type { PictureGuest, PicturePass } from '../devices/entry/pictureGuest.ts';

/** The path that boards and py-xiaozhi post questions to, by convention (docs/protocols/xiaozhi.md#vision). */
export const explainPath = '/mcp/vision/explain';
/** The path prefix of the address for each picture of a screen. */
export const snapshotPath = '/mcp/vision/snapshot/';

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

  /** Lets a connection post, at the address that it used to reach us. */
  admit(guest: PictureGuest, origin: string): PicturePass {
    const token = secret();
    this.#admitted.set(token, { guest, origin });
    return { url: `${origin}${explainPath}`, token, revoke: () => void this.#admitted.delete(token) };
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
    const key = secret();
    let pictureId: string | undefined;
    this.#expected.set(key, { guest, deliver: (id) => (pictureId = id) });
    return {
      url: `${origin}${snapshotPath}${key}`,
      pictureId: () => pictureId,
      end: () => void this.#expected.delete(key),
    };
  }

  /** Uses up an expected picture: its address is valid once. */
  takeSnapshot(key: string): Expected | undefined {
    const expected = this.#expected.get(key);
    this.#expected.delete(key);
    return expected;
  }
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
