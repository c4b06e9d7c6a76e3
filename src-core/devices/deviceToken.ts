import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tokens that OTA hands out and the WebSocket checks. One device, one token; nothing is stored. */
export interface DeviceTokens {
  issue: (deviceId: string) => string;
  accepts: (deviceId: string, token: string | undefined) => boolean;
}

/** `secret` outlives restarts, so that a token a board has stored stays good; random unless told. */
export function createDeviceTokens(secret: Uint8Array = randomBytes(32)): DeviceTokens {
  const issue = (deviceId: string) =>
    createHmac('sha256', secret).update(deviceId.toLowerCase()).digest('base64url').slice(0, 32);
  return {
    issue,
    accepts: (deviceId, token) => {
      const expected = Buffer.from(issue(deviceId));
      const given = Buffer.from(token ?? '');
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
