import type { ToolContext } from '../mcp/mcpTool.ts';
import type { ToolReturn } from '../mcp/toolContent.ts';
import { postPicture } from './postPicture.ts';
import type { Picture } from './picture.ts';

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
