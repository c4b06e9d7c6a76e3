import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { latestTime } from '../../base/latestTime.ts';
import { RequestError } from '../../base/requestError.ts';
import type { CaptureInfo, CaptureOrigin } from '../../contract/types.ts';

/** What the first line of a capture's file says (docs/captures.md). */
export interface CaptureHeader {
  device: CaptureInfo['device'];
  /** What it was taken of; a device if absent. */
  origin?: CaptureOrigin;
  /** What is known of a conversation; of an unread file not checked. */
  about?: JsonObject;
  /** Epoch ms. */
  exportedAt: number;
}

/** The newest version that is read. Captures of devices are written as version 1. */
const version = 3;
/** The version that added each origin. */
const origins = { gateway: 2, realtime: 2, mcp: 3 } as const satisfies Record<CaptureOrigin, number>;

/** The first line, without its end. */
export function captureHeaderLine({ device, origin, about, exportedAt }: CaptureHeader): string {
  const version = origin === undefined ? 1 : origins[origin];
  return JSON.stringify({ toolwire: 'capture', version, origin, device, conversation: about, exportedAt });
}

/** @throws RequestError that says what is wrong with the line, and names `text`. */
export function readCaptureHeader(line: string): CaptureHeader {
  const header = parsed(line);
  if (!isJsonObject(header) || header['toolwire'] !== 'capture')
    throw wrong('it is not the header of a capture, which begins with {"toolwire":"capture",…}');
  if (!Number.isInteger(header['version']) || Number(header['version']) < 1)
    throw wrong('"version" must be an integer');
  if (Number(header['version']) > version) {
    throw new RequestError(
      `The capture is of version ${Number(header['version'])}, from a newer Toolwire; this one reads version ${version}. Update Toolwire.`,
      { field: 'text' },
    );
  }
  const { device, origin, conversation, exportedAt } = header;
  if (origin !== undefined && (typeof origin !== 'string' || !Object.hasOwn(origins, origin)))
    throw wrong('"origin" must be "gateway", "realtime", "mcp" or absent');
  if (!isJsonObject(device)) throw wrong('"device" must be an object');
  if (!Number.isInteger(exportedAt) || Number(exportedAt) < 0 || Number(exportedAt) > latestTime)
    throw wrong('"exportedAt" must be a time in ms');
  const { board, firmware } = device;
  return {
    device: {
      name: short(device['name'], 'device.name'),
      deviceId: short(device['deviceId'], 'device.deviceId'),
      ...(board !== undefined && { board: short(board, 'device.board') }),
      ...(firmware !== undefined && { firmware: short(firmware, 'device.firmware') }),
    },
    ...(origin !== undefined && { origin: origin as CaptureOrigin }),
    ...(isJsonObject(conversation) && { about: conversation }),
    exportedAt: Number(exportedAt),
  };
}

function parsed(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    throw wrong('it is not valid JSON; a capture is JSON lines, the first of them its header');
  }
}

function short(value: JsonValue | undefined, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  throw wrong(`"${field}" must be a string of 1 to 200 characters`);
}

function wrong(what: string): RequestError {
  return new RequestError(`Line 1 of the capture cannot be read: ${what}.`, { field: 'text' });
}
