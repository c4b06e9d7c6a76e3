import { randomUUID } from 'node:crypto';
import { describeThrown } from '../../../../base/describeThrown.ts';
import { McpTool, type ToolContext } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { postForm, questionHeaders } from '../postForm.ts';
import type { VirtualHost } from '../profile.ts';
import { drawTestCard } from '../testCard/drawTestCard.ts';
import { pythonJson } from './pythonJson.ts';

const question = new Property('question', PropertyType.STRING);
const softFailure = (message: string): string => pythonJson({ success: false, message }, { ascii: false });

/**
 * `take_photo` and `take_screenshot`; what they cannot do they say in a result that is no error, as py-xiaozhi does.
 */
export function createPictureTools(host: VirtualHost): McpTool[] {
  return [
    new McpTool({
      name: 'take_photo',
      description:
        '用摄像头拍一张照片，并请视觉服务回答关于它的问题。用户想知道眼前是什么、上面写了什么字、有几个人、是什么颜色时使用；' +
        '说得含糊，例如“帮我看看”，也用它。参数 question：想从照片里知道的事，请完整地写出用户的问题，不要只写“看图”。' +
        '返回 JSON：success 表示是否成功，response 是回答，失败时 message 说明原因。如果要看的是电脑屏幕而不是周围，请改用 take_screenshot。' +
        ' Takes one photo with the camera and has the question about it answered. The photo leaves this computer: it goes to the server that explains pictures. ' +
        'Call it again for every new question, since things may have moved.',
      properties: new PropertyList([question]),
      callback: (args, context) => explain({ title: 'Virtual camera', question: args['question'], host, context }),
    }),
    new McpTool({
      name: 'take_screenshot',
      description:
        '截取电脑的桌面，并请视觉服务回答关于它的问题。用户问屏幕上有什么、某个窗口里写了什么、出现的错误是什么意思时使用。' +
        '桌面上可能有私人内容，截取之前请先得到用户的同意。参数 question：想知道的事；display：要截取哪一个显示器，' +
        '“main”是主显示器，“secondary”是另一个，为空时是全部。返回 JSON：success 表示是否成功，失败时 message 说明原因。' +
        ' Takes a picture of the desktop and has the question about it answered. Ask the user first: whatever is on the screen goes to the server.',
      properties: new PropertyList([question, new Property('display', PropertyType.STRING, { defaultValue: '' })]),
      callback: (args, context) => explain({ title: 'Virtual desktop', question: args['question'], host, context }),
    }),
  ];
}

/** Posts whole, with a Content-Length, and waits 10 s (docs/protocols/xiaozhi.md#vision). */
async function explain(options: {
  title: string;
  question: unknown;
  host: VirtualHost;
  context: ToolContext;
}): Promise<string> {
  const { title, question, host, context } = options;
  if (context.vision === undefined) return softFailure('视觉服务的地址还没有设置');
  try {
    const { status, text } = await postForm({
      url: context.vision.url,
      form: { boundary: randomUUID().replaceAll('-', ''), chunked: false, timeoutMs: 10_000 },
      picture: drawTestCard({ title, at: host.now() }),
      fileName: 'camera.jpg',
      question: String(question),
      headers: questionHeaders(context),
      signal: context.signal,
    });
    return status === 200 ? text : softFailure(`Failed to upload photo: ${status}`);
  } catch (error) {
    return softFailure(`Failed to upload photo: ${describeThrown(error)}`);
  }
}
