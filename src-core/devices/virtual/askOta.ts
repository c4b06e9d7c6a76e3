import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { JsonValue } from '../../tools/json.ts';
import { isJsonObject } from '../deviceMessage.ts';

/** Where OTA sends a device. */
export interface OtaTarget {
  url: string;
  token?: string;
}

const maxAnswerBytes = 8_192;

/**
 * Asks an OTA address where to connect, with the headers and body of a board (spec/xiaozhi.md §1.5). Rejects where
 * the answer is not one that a board could use.
 */
export async function askOta(options: {
  url: string;
  deviceId: string;
  clientId: string;
  board: string;
  firmware: string;
  signal: AbortSignal;
}): Promise<OtaTarget> {
  const { url, deviceId, clientId, board, firmware, signal } = options;
  const body = JSON.stringify({
    version: 2,
    language: 'en-US',
    mac_address: deviceId,
    uuid: clientId,
    chip_model_name: 'esp32s3',
    application: { name: 'xiaozhi', version: firmware },
    board: { type: board, name: board, mac: deviceId },
  });
  const headers = {
    'Device-Id': deviceId,
    'Client-Id': clientId,
    'Activation-Version': '1',
    'User-Agent': `${board}/${firmware}`,
    'Accept-Language': 'en-US',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers, signal, timeout: 10_000 }, resolve);
    request.on('timeout', () => request.destroy(new Error(`OTA at ${url} did not answer within 10 s.`)));
    request.on('error', reject);
    request.end(body);
  });
  const text = await readAnswer(response);
  if (response.statusCode !== 200) {
    throw new Error(`OTA at ${url} answered with status ${response.statusCode}; boards take only 200.`);
  }
  const target = readTarget(text);
  if (target === undefined) throw new Error(`OTA at ${url} named no "websocket": {"url": …} to connect to.`);
  return target;
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

function readTarget(text: string): OtaTarget | undefined {
  const answer = JSON.parse(text) as JsonValue;
  const websocket = isJsonObject(answer) ? answer['websocket'] : undefined;
  if (!isJsonObject(websocket)) return undefined;
  const { url, token } = websocket;
  if (typeof url !== 'string') return undefined;
  return { url, ...(typeof token === 'string' ? { token } : {}) };
}
