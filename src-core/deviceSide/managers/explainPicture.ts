import type { ToolContext } from '../mcp/mcpTool.ts';
import type { ToolReturn } from '../mcp/toolContent.ts';
import type { Picture } from './picture.ts';

const timeoutMs = 30_000;

const maxAnswerBytes = 64 * 1024;

/**
 * Has a picture explained as boards do, by a form of `question` and `file` (docs/protocols/xiaozhi.md#vision), and
 * returns the text of the answer. If the server named no address for pictures, returns the picture. Rejects if there is
 * no answer within 30 s.
 */
export async function explainOrReturn(options: {
  picture: Picture;
  question: string;
  context: ToolContext;
}): Promise<ToolReturn> {
  const { picture, question } = options;
  const { vision, identity, signal } = options.context;
  if (vision === undefined)
    return { type: 'image', mimeType: picture.mimeType, data: Buffer.from(picture.data).toString('base64') };
  return postPicture({
    url: vision.url,
    picture,
    fileName: 'camera.jpg',
    fields: { question },
    headers: {
      ...(identity === undefined ? {} : { 'Device-Id': identity.deviceId, 'Client-Id': identity.clientId }),
      ...(vision.token === undefined ? {} : { Authorization: `Bearer ${vision.token}` }),
    },
    signal,
  });
}

/**
 * Posts a picture as a form, the fields before it, and returns the answer's text. Rejects if the address is not an http
 * address, or the answer is not a 200 within 30 s or has more than 64 KiB.
 */
async function postPicture(options: {
  url: string;
  picture: Picture;
  fileName: string;
  fields: Record<string, string>;
  headers: Record<string, string>;
  signal: AbortSignal;
}): Promise<string> {
  const { url, picture, fileName, fields, headers } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('The address for pictures must be an http address.');
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([picture.data], { type: picture.mimeType }), fileName);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  // Boards follow no redirect.
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
  const text = await readText(response);
  if (response.status !== 200) throw new Error(`The picture was answered with status ${response.status}.`);
  return text;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error(`The picture was answered with more than ${maxAnswerBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
