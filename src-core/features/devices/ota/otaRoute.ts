import { HttpError } from '../../../server/httpError.ts';
import { respondJson } from '../../../server/respond.ts';
import type { HttpExchange, HttpRoute, RequestPolicy } from '../../../server/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Clock } from '../../../base/clock.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';
import { readDeviceCredentials } from '../entry/deviceCredentials.ts';
import { originFor } from '../listener/deviceAddresses.ts';
import { devicePeer, type DevicePeer, type IsLocal } from '../wire/devicePeer.ts';
import type { DeviceTokens } from '../entry/deviceToken.ts';
import { otaAnswer } from './otaAnswer.ts';
import { plainText } from '../wire/plainText.ts';

/** What a device told OTA about itself. */
export interface OtaVisit {
  deviceId: string;
  /** Epoch ms. */
  at: number;
  peer: DevicePeer;
  /** It was refused with this status: 400, its body is not a JSON object; 413, it is too large. */
  refused?: 400 | 413;
  board?: string;
  firmware?: string;
  /** Of its screen, such as `zh-CN`. */
  language?: string;
}

/** The tokens that OTA hands out, who may ask, and the listener. */
export interface OtaRouteOptions {
  tokens: DeviceTokens;
  clock: Clock;
  policies: readonly RequestPolicy[];
  isLocal?: IsLocal | undefined;
  publicUrl?: (() => string) | undefined;
  onVisit: (visit: OtaVisit) => void;
  /** The protocol version that a device is offered; 1 by default. */
  offeredProtocol?: ((deviceId: string) => BinaryVersion | undefined) | undefined;
}

/** The path under which devices ask where to connect. */
const otaPath = '/xiaozhi/ota/';

/** Bytes of a device's system information; anyone may send it. A board with many partitions sends about 3 kB. */
const maxBodyBytes = 16 * 1024;

/** Both spellings of the OTA address: users may leave the last slash out. */
export function otaRoutes(options: OtaRouteOptions): HttpRoute[] {
  const handle = (exchange: HttpExchange) => answer(exchange, options);
  return [otaPath, otaPath.slice(0, -1)].map((path) => ({
    path,
    methods: ['POST', 'GET', 'HEAD', 'OPTIONS'],
    policies: options.policies,
    maxBodyBytes,
    handle,
  }));
}

async function answer({ request, response, readBody }: HttpExchange, options: OtaRouteOptions): Promise<void> {
  const cors = corsHeaders(request.headers.origin);
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { ...cors, 'Content-Length': 0 }).end();
    return;
  }
  const read = request.method === 'POST' ? await readInfo(readBody) : {};
  const refused = read instanceof HttpError && (read.status === 413 ? 413 : 400);
  const info = read instanceof HttpError ? {} : read;
  const credentials = readDeviceCredentials(request);
  const { deviceId } = credentials;
  const peer = devicePeer(request, credentials, options.isLocal);
  const now = options.clock.wall();
  const firmware = plainText(member(info, 'application', 'version'), 32);
  const language = plainText(info['language'], 16);
  const board = plainText(member(info, 'board', 'name')) ?? plainText(member(info, 'board', 'type'));
  // HEAD is the user's `curl -I`: it asks for nothing.
  if (deviceId !== undefined && request.method !== 'HEAD') {
    options.onVisit({
      deviceId,
      at: now,
      peer,
      ...(refused && { refused }),
      ...(board === undefined ? {} : { board }),
      ...(firmware === undefined ? {} : { firmware }),
      ...(language === undefined ? {} : { language }),
    });
  }
  if (read instanceof HttpError) throw read;
  respondJson(
    response,
    200,
    otaAnswer({
      origin: originFor(request, peer, options.publicUrl),
      token: options.tokens.issue(deviceId ?? ''),
      version: firmware,
      protocol: (deviceId === undefined ? undefined : options.offeredProtocol?.(deviceId)) ?? 1,
      now,
      timezoneOffset: -new Date(now).getTimezoneOffset(),
    }),
    cors,
  );
}

/** For a browser's test page, whose origin the policies have let through (docs/protocols/xiaozhi.md#ota). */
function corsHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'POST, GET, HEAD, OPTIONS',
    'Access-Control-Allow-Headers': 'client-id, content-type, device-id',
    Vary: 'Origin',
  };
}

/** The error to answer with if the body is too large or not a JSON object. */
async function readInfo(readBody: () => Promise<Buffer>): Promise<JsonObject | HttpError> {
  try {
    const body = await readBody();
    const value = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as JsonValue);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (error instanceof HttpError) return error;
  }
  return new HttpError(400, "The body must be a JSON object: the device's system information, or nothing.");
}

function member(info: JsonObject, group: string, key: string): JsonValue | undefined {
  const value = info[group];
  return isJsonObject(value) ? value[key] : undefined;
}
