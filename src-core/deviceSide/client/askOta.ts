import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DeviceIdentity } from './identity.ts';

/** The connection target that OTA returns. */
export interface OtaTarget {
  /** `ws://` or `wss://`. */
  url: string;
  token?: string;
}

const maxAnswerBytes = 8_192;
const timeoutMs = 10_000;

/**
 * Asks an OTA server for the address to connect to, with the headers and body of a board (docs/protocols/xiaozhi.md#ota). Rejects
 * if a board could not use the answer.
 */
export async function askOta(options: {
  /** `http://` or `https://`. */
  url: string;
  identity: DeviceIdentity;
  signal: AbortSignal;
}): Promise<OtaTarget> {
  const { url, identity, signal } = options;
  const { deviceId, clientId, board, version } = identity;
  const body = JSON.stringify(otaBody(identity));
  const headers = {
    'Device-Id': deviceId,
    'Client-Id': clientId,
    'Activation-Version': '1',
    'User-Agent': `${encodeURI(board)}/${encodeURI(version)}`,
    'Accept-Language': 'en-US',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const ask = url.startsWith('https:') ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = ask(url, { method: 'POST', headers, signal, timeout: timeoutMs }, resolve);
    request.on('timeout', () => request.destroy(new Error(`OTA at ${url} did not answer within 10 s.`)));
    request.on('error', reject);
    request.end(body);
  });
  const text = await readAnswer(response);
  if (response.statusCode !== 200)
    throw new Error(`OTA at ${url} answered with status ${response.statusCode}; boards take only 200.`);
  return readTarget(text, url);
}

function otaBody({ deviceId, clientId, board, version }: DeviceIdentity): JsonObject {
  return {
    version: 2,
    language: 'en-US',
    mac_address: deviceId,
    uuid: clientId,
    chip_model_name: 'esp32s3',
    application: { name: 'xiaozhi', version },
    board: { type: board, name: board, mac: deviceId },
  };
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes)
      throw new Error(`OTA answered more than ${maxAnswerBytes} bytes; a board hangs on that.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readTarget(text: string, asked: string): OtaTarget {
  let answer: JsonValue;
  try {
    answer = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Error(`OTA at ${asked} answered with text that is not valid JSON.`, { cause: error });
  }
  const websocket = isJsonObject(answer) ? answer['websocket'] : undefined;
  const { url, token } = isJsonObject(websocket) ? websocket : {};
  if (typeof url !== 'string' || !/^wss?:\/\//.test(url))
    throw new Error(`OTA at ${asked} named no "websocket": {"url": "ws://…"} to connect to.`);
  return { url, ...(typeof token === 'string' ? { token } : {}) };
}
