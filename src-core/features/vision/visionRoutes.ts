import type { ServerResponse } from 'node:http';

import { HttpError } from '../../server/httpError.ts';
import { respondJson } from '../../server/respond.ts';
import type { HttpExchange, HttpRoute, RequestPolicy } from '../../server/types.ts';
import { readDeviceCredentials } from '../devices/entry/deviceCredentials.ts';
import type { PictureReceiver } from '../devices/entry/pictureGuest.ts';
import { explainAnswer, type PictureAnswer } from './explainAnswer.ts';
import { readForm } from './readForm.ts';
import { explainPath, snapshotPath, type VisionAccess } from './visionAccess.ts';
import type { DevicePicture, VisionDesk } from './visionDesk.ts';

/** First bytes of the kinds of pictures that a page and a model show; a device's word about them counts for nothing. */
const kinds: readonly { mediaType: string; begins: (data: Buffer) => boolean }[] = [
  { mediaType: 'image/jpeg', begins: (data) => data.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { mediaType: 'image/png', begins: (data) => data.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n' },
  { mediaType: 'image/gif', begins: (data) => /^GIF8[79]a$/.test(data.toString('latin1', 0, 6)) },
  {
    mediaType: 'image/webp',
    begins: (data) => data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP',
  },
];

const maxPictureBytes = 8 * 1024 * 1024;
const maxQuestionBytes = 16 * 1024;
/** The form's size without the picture and the question. */
const maxFormBytes = 16 * 1024;
/** Bodies in memory at once. */
const maxUploads = 16;

/** A picture and its question, or why there is none. */
type ReadPicture = { picture: DevicePicture; question: string } | { refusal: string };

/** Receives the pictures of devices, for the questions and for the requested pictures of screens. */
export function pictureReceiver(options: { access: VisionAccess; desk: VisionDesk }): PictureReceiver {
  return {
    admit: (guest, origin) => options.access.admit(guest, origin),
    routes: (policies) => visionRoutes({ ...options, policies }),
  };
}

/**
 * The two addresses that devices post pictures to (docs/protocols/xiaozhi.md#vision). An authorized request gets status
 * 200, even if the picture is invalid: boards ignore the body of any other response.
 */
function visionRoutes(options: {
  access: VisionAccess;
  desk: VisionDesk;
  policies: readonly RequestPolicy[];
}): HttpRoute[] {
  const { access, desk, policies } = options;
  let uploads = 0;

  async function read(exchange: HttpExchange): Promise<ReadPicture> {
    if (uploads >= maxUploads) return { refusal: 'Too many pictures are on their way. Try again in a moment.' };
    uploads += 1;
    try {
      return readPicture(await exchange.readBody(), exchange.request.headers['content-type']);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { refusal: error.message };
    } finally {
      uploads -= 1;
    }
  }

  async function explain(exchange: HttpExchange): Promise<void> {
    const { request, response } = exchange;
    const { deviceId, token = '' } = readDeviceCredentials(request);
    const guest = access.guestOf(token);
    if (guest === undefined || (deviceId !== undefined && deviceId !== guest.deviceId()))
      return refuse(response, 401, 'This token is not of a connection that is open. Let the device connect again.');
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const posted = await read(exchange);
    if ('refusal' in posted) return refuse(response, 200, posted.refusal);
    answer(response, await desk.explain({ guest, ...posted, gone: gone.signal }));
  }

  async function snapshot(exchange: HttpExchange): Promise<void> {
    const expected = access.takeSnapshot(exchange.url.pathname.slice(snapshotPath.length));
    if (expected === undefined)
      return refuse(exchange.response, 404, 'Nobody waits for a picture at this address; it is good once.');
    const posted = await read(exchange);
    if ('refusal' in posted) return refuse(exchange.response, 200, posted.refusal);
    expected.deliver(desk.keepSnapshot(expected.guest, posted.picture));
    answer(exchange.response, { success: true, text: 'The picture arrived.' });
  }

  const route = { methods: ['POST'], policies, maxBodyBytes: maxPictureBytes + maxQuestionBytes + maxFormBytes };
  return [
    { ...route, path: explainPath, handle: explain },
    { ...route, path: `${snapshotPath}*`, handle: snapshot },
  ];
}

function readPicture(body: Buffer, contentType: string | undefined): ReadPicture {
  const form = readForm(body, contentType);
  if (typeof form === 'string') return { refusal: form };
  const data = form.get('file')?.data;
  const question = form.get('question')?.data ?? Buffer.alloc(0);
  if (data === undefined) return { refusal: 'The form has no part "file".' };
  if (data.length > maxPictureBytes) return { refusal: `The picture has more than ${maxPictureBytes} bytes.` };
  if (question.length > maxQuestionBytes) return { refusal: `The question has more than ${maxQuestionBytes} bytes.` };
  const mediaType = pictureTypeOf(data);
  if (mediaType === undefined) return { refusal: 'The file is no JPEG, PNG, GIF or WebP picture.' };
  return { picture: { mediaType, data }, question: question.toString('utf8').trim() };
}

/** Ends the connection without reading the rest of the body. */
function refuse(response: ServerResponse, status: number, text: string): void {
  respondJson(response, status, explainAnswer({ success: false, text }), { Connection: 'close' });
}

function answer(response: ServerResponse, said: PictureAnswer): void {
  respondJson(response, 200, explainAnswer(said));
}

/** `image/jpeg`, `image/png`, `image/gif` or `image/webp` by the first bytes; `undefined` for anything else. */
function pictureTypeOf(data: Buffer): string | undefined {
  return kinds.find(({ begins }) => begins(data))?.mediaType;
}
