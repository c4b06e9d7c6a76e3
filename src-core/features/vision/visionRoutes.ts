import type { ServerResponse } from 'node:http';

import { HttpError } from '../../server/httpError.ts';
import { respondJson } from '../../server/respond.ts';
import type { HttpExchange } from '../../server/types.ts';
import type {
  PictureNodes,
  PictureReceiver as PostReceiver,
  PictureReply,
  Posted,
} from '../cluster/relayedPictures.ts';
import { readDeviceCredentials } from '../devices/entry/deviceCredentials.ts';
import type { PictureReceiver } from '../devices/entry/pictureGuest.ts';
import { explainAnswer } from './explainAnswer.ts';
import { readForm } from './readForm.ts';
import { visionPath, type VisionAccess } from './visionAccess.ts';
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
const maxBodyBytes = maxPictureBytes + maxQuestionBytes + maxFormBytes;
/** Bodies in memory at once. */
const maxUploads = 16;

/** A picture and its question, or why there is none. */
type ReadPicture = { picture: DevicePicture; question: string } | { refusal: string };

interface Options {
  access: VisionAccess;
  desk: VisionDesk;
  /** The other nodes of a cluster. */
  nodes?: PictureNodes;
}

/** Receives the pictures of devices, for the questions and for the requested pictures of screens. */
export function pictureReceiver({ access, desk, nodes }: Options): PictureReceiver {
  const receive = postReceiver({ access, desk });
  nodes?.receiveWith(receive);

  async function handle(exchange: HttpExchange): Promise<void> {
    const { response, readBody } = exchange;
    const { node, posted } = readPost(exchange);
    if (posted === undefined) return respond(response, refusal(404, 'This address is unknown.'));
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    // A device keeps the address that it got before its node joined another cluster.
    const isOwn = node === undefined || node === nodes?.id() || access.knows(posted.secret);
    const relayed = isOwn ? undefined : nodes?.relay(node, posted, readBody, gone.signal);
    respond(response, await (relayed ?? receive(posted, readBody, gone.signal)));
  }

  return {
    admit: (guest, origin) => access.admit(guest, origin),
    routes: (policies) => [{ methods: ['POST'], policies, maxBodyBytes, path: `${visionPath}*`, handle }],
  };
}

/** Which node and what a request is for. */
function readPost({ request, url }: HttpExchange): { node?: string | undefined; posted?: Posted } {
  const path = url.pathname.slice(visionPath.length);
  const [, node, what = '', key = ''] = /^(?:([0-9a-f]{16})\/)?(explain$|snapshot\/)(.*)$/.exec(path) ?? [];
  const contentType = (request.headers['content-type'] ?? '').slice(0, 1_024);
  if (what === '') return {};
  if (what !== 'explain') return { node, posted: { kind: 'snapshot', secret: key.slice(0, 256), contentType } };
  const { deviceId, token = '' } = readDeviceCredentials(request);
  const secret = token.slice(0, 256);
  return { node, posted: { kind: 'explain', secret, ...(deviceId !== undefined && { deviceId }), contentType } };
}

/**
 * Answers what devices post (docs/protocols/xiaozhi.md#vision). An authorized request gets status 200, even if the picture is invalid:
 * boards ignore the body of any other response.
 */
function postReceiver({ access, desk }: Options): PostReceiver {
  let uploads = 0;

  async function read({ contentType }: Posted, readBody: (maxBytes: number) => Promise<Buffer>): Promise<ReadPicture> {
    if (uploads >= maxUploads) return { refusal: 'Too many pictures are on their way. Try again in a moment.' };
    uploads += 1;
    try {
      return readPicture(await readBody(maxBodyBytes), contentType);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { refusal: error.message };
    } finally {
      uploads -= 1;
    }
  }

  return async (posted, readBody, gone) => {
    if (posted.kind === 'snapshot') {
      const expected = access.takeSnapshot(posted.secret);
      if (expected === undefined) return refusal(404, 'Nobody waits for a picture at this address; it is good once.');
      const picture = await read(posted, readBody);
      if ('refusal' in picture) return refusal(200, picture.refusal);
      expected.deliver(desk.keepSnapshot(expected.guest, picture.picture));
      return { status: 200, success: true, text: 'The picture arrived.' };
    }
    const guest = access.guestOf(posted.secret);
    if (guest === undefined || (posted.deviceId !== undefined && posted.deviceId !== guest.deviceId()))
      return refusal(401, 'This token is not of a connection that is open. Let the device connect again.');
    const picture = await read(posted, readBody);
    if ('refusal' in picture) return refusal(200, picture.refusal);
    return { status: 200, ...(await desk.explain({ guest, ...picture, gone })) };
  };
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

function refusal(status: number, text: string): PictureReply {
  return { status, success: false, text };
}

/** Ends the connection of a refused post without reading the rest of the body. */
function respond(response: ServerResponse, { status, ...said }: PictureReply): void {
  respondJson(response, status, explainAnswer(said), said.success ? {} : { Connection: 'close' });
}

/** `image/jpeg`, `image/png`, `image/gif` or `image/webp` by the first bytes; `undefined` for anything else. */
function pictureTypeOf(data: Buffer): string | undefined {
  return kinds.find(({ begins }) => begins(data))?.mediaType;
}
