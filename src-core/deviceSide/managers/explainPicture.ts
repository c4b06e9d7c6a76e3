import type { ToolContext, VisionTarget } from '../mcp/mcpTool.ts';
import { postPicture } from './postPicture.ts';
import type { Picture } from './picture.ts';

/**
 * Has a picture explained as boards do: a form of `question` and `file` (spec/xiaozhi.md §1.6). Gives the answer's text
 * as it came. Rejects where there is none within 30 s.
 */
export function explainPicture(options: {
  picture: Picture;
  question: string;
  vision: VisionTarget;
  identity: ToolContext['identity'];
  signal: AbortSignal;
}): Promise<string> {
  const { picture, question, vision, identity, signal } = options;
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
