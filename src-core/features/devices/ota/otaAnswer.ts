import type { JsonObject } from '../../../base/json.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';

/** The facts an OTA answer is made of. */
export interface OtaAnswerInput {
  /** `http://host:port` or `https://…`, as the device reaches it. */
  origin: string;
  token: string;
  /** The firmware version that the device reports. */
  version: string | undefined;
  /** How the device is to frame its audio. Boards store it, so it is always sent. */
  protocol: BinaryVersion;
  /** Epoch ms. */
  now: number;
  /** Minutes east of UTC: 480 is China. */
  timezoneOffset: number;
}

/** The path that OTA sends devices to (docs/protocols/xiaozhi.md#connecting: any, this by convention). */
const webSocketPath = '/xiaozhi/v1/';

/**
 * What OTA answers (docs/protocols/xiaozhi.md#ota): no `mqtt`, no `activation`, no key over 15 characters,
 * and a firmware version only if it is dotted numbers, since the firmware aborts on anything else.
 */
export function otaAnswer(input: OtaAnswerInput): JsonObject {
  const { origin, token, version, protocol, now, timezoneOffset } = input;
  const dotted = version !== undefined && /^\d{1,8}(\.\d{1,8}){0,5}$/.test(version);
  return {
    server_time: { timestamp: now, timezone_offset: timezoneOffset },
    ...(dotted ? { firmware: { version, url: '' } } : {}),
    websocket: { url: `${origin.replace('http', 'ws')}${webSocketPath}`, token, version: protocol },
  };
}
