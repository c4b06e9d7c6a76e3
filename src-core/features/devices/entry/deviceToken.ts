import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What lets a device of the network knock: tokens that OTA hands out, and one that the user copies. Nothing is stored. */
export interface DeviceTokens {
  /** One device, one token; the same each time. */
  issue: (deviceId: string) => string;
  /** For any device that cannot ask OTA. A secret. */
  accessToken: string;
  /** Whether it is the device's own token, or the access token. */
  accepts: (deviceId: string, token: string) => boolean;
}

/** `secret` outlives restarts, so that a token a board has stored stays good; random by default. */
export function createDeviceTokens(secret: Uint8Array = randomBytes(32)): DeviceTokens {
  // Each kind with a word of its own: no Device-Id gets the access token from OTA.
  const sign = (kind: 'device' | 'access', text: string) =>
    createHmac('sha256', secret).update(`${kind}\0${text}`).digest('base64url').slice(0, 32);
  const issue = (deviceId: string) => sign('device', deviceId.toLowerCase());
  const accessToken = sign('access', '');
  return {
    issue,
    accessToken,
    accepts: (deviceId, token) => [issue(deviceId), accessToken].some((good) => isEqual(good, token)),
  };
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
