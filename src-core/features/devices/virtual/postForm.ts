import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Picture } from '../../../deviceSide/managers/picture.ts';
import type { ToolContext } from '../../../deviceSide/mcp/mcpTool.ts';

/** How a kind of device posts a picture, and what it waits for. */
export interface PictureForm {
  boundary: string;
  /** Sent in chunks, as boards do; otherwise whole, with a Content-Length. */
  chunked: boolean;
  /** ms for the whole request. */
  timeoutMs: number;
}

export interface PostFormOptions {
  url: string;
  form: PictureForm;
  picture: Picture;
  fileName: string;
  /** Of the picture; none for a picture of the screen. */
  question?: string;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

const maxAnswerBytes = 64 * 1024;

/** Posts a picture as a real device does (docs/protocols/xiaozhi.md#vision). Rejects if no answer arrives in time. */
export async function postForm(options: PostFormOptions): Promise<{ status: number; text: string }> {
  const { url, form, headers, signal } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`The address for pictures is no http address: ${url.slice(0, 200)}`);
  const pieces = piecesOf(options);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const ask = url.startsWith('https:') ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = ask(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(form.timeoutMs)]),
        headers: {
          ...headers,
          'Content-Type': `multipart/form-data; boundary=${form.boundary}`,
          ...(form.chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': size }),
        },
      },
      resolve,
    );
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

/** The headers that identify the device in its request. */
export function questionHeaders({ identity, vision }: ToolContext): Record<string, string> {
  return {
    ...(identity === undefined ? {} : { 'Device-Id': identity.deviceId, 'Client-Id': identity.clientId }),
    ...(vision?.token === undefined ? {} : { Authorization: `Bearer ${vision.token}` }),
  };
}

/** The form as boards write it, one write each: the question, the head of the file, the file, the end. */
function piecesOf({ form: { boundary }, picture, fileName, question }: PostFormOptions): Buffer[] {
  const text = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="question"\r\n\r\n${question ?? ''}\r\n`,
  );
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
      `Content-Type: ${picture.mimeType}\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return [...(question === undefined ? [] : [text]), head, Buffer.from(picture.data), end];
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error(`The picture was answered with more than ${maxAnswerBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
