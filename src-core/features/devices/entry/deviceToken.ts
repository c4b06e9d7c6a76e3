import { createHmac, timingSafeEqual } from 'node:crypto';

/** What lets a device of the network knock: tokens that OTA hands out, and one that the user copies. Nothing is stored. */
export interface DeviceTokens {
  /** One device, one token; the same each time. */
  issue: (deviceId: string) => string;
  /** For any device that cannot ask OTA. A secret. */
  accessToken: () => string;
  /** Whether it is the device's own token, or the access token, of any secret. */
  accepts: (deviceId: string, token: string) => boolean;
}

/** What tokens are made of. They are accepted of each, and made of the first. They outlive restarts, so that a stored token stays good. */
export type TokenSecrets = () => [Uint8Array, ...Uint8Array[]];

export function createDeviceTokens(secrets: TokenSecrets): DeviceTokens {
  // Each kind with a word of its own: no Device-Id gets the access token from OTA.
  const sign = (kind: 'device' | 'access', text: string, secret = secrets()[0]) =>
    createHmac('sha256', secret).update(`${kind}\0${text}`).digest('base64url').slice(0, 32);
  const issue = (deviceId: string, secret?: Uint8Array) => sign('device', deviceId.toLowerCase(), secret);
  return {
    issue: (deviceId) => issue(deviceId),
    accessToken: () => sign('access', ''),
    accepts: (deviceId, token) =>
      secrets().some((secret) =>
        [issue(deviceId, secret), sign('access', '', secret)].some((good) => isEqual(good, token)),
      ),
  };
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
