import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { plainText, readDeviceId } from './plainText.ts';
import type { DeviceInfo } from '../../../contract/deviceInfo.ts';

/** The contents of a device's hello, bounded (docs/protocols/xiaozhi.md#hello). */
export interface DeviceHello {
  /** 1, 2 or 3 if it follows the protocol; other numbers are kept, too. */
  version?: number;
  mcp: boolean;
  features?: NonNullable<DeviceInfo['features']>;
  audioParams?: NonNullable<DeviceInfo['audioParams']>;
  /** Lower case; only browser pages send it here, since they cannot set headers. */
  deviceId?: string;
  /** `device_name`. */
  name?: string;
}

const maxFeatures = 32;
const maxNumber = 1_000_000;

/** Reads a hello of any client: the firmware's, py-xiaozhi's, a browser page's without transport or audio. Never throws. */
export function readHello(hello: JsonObject): DeviceHello {
  const version = wholeNumber(hello['version']);
  const features = readFeatures(hello['features']);
  const audioParams = readAudioParams(hello['audio_params']);
  const deviceId = readDeviceId(hello['device_id']) ?? readDeviceId(hello['device_mac']);
  const name = plainText(hello['device_name']);
  return {
    mcp: features?.['mcp'] === true,
    ...(version === undefined ? {} : { version }),
    ...(features === undefined ? {} : { features }),
    ...(audioParams === undefined ? {} : { audioParams }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(name === undefined ? {} : { name }),
  };
}

function readFeatures(said: JsonValue | undefined): DeviceHello['features'] {
  if (!isJsonObject(said)) return undefined;
  const features = Object.entries(said).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean' && /^[\w.-]{1,32}$/.test(entry[0]),
  );
  return features.length === 0 ? undefined : Object.fromEntries(features.slice(0, maxFeatures));
}

function readAudioParams(said: JsonValue | undefined): DeviceHello['audioParams'] {
  if (!isJsonObject(said)) return undefined;
  const format = plainText(said['format'], 16);
  const sampleRate = wholeNumber(said['sample_rate']);
  const channels = wholeNumber(said['channels']);
  const frameDurationMs = wholeNumber(said['frame_duration']);
  return {
    ...(format === undefined ? {} : { format }),
    ...(sampleRate === undefined ? {} : { sampleRate }),
    ...(channels === undefined ? {} : { channels }),
    ...(frameDurationMs === undefined ? {} : { frameDurationMs }),
  };
}

function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxNumber ? value : undefined;
}
