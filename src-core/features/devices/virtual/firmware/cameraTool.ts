import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { postForm, questionHeaders } from '../postForm.ts';
import type { VirtualHost } from '../profile.ts';
import { drawTestCard } from '../testCard/drawTestCard.ts';
import { boardForm } from './boardForm.ts';

/** `self.camera.take_photo`: posts a picture with the question; the answer's text is the tool's. */
export function createCameraTool(host: VirtualHost): McpTool {
  return new McpTool({
    name: 'self.camera.take_photo',
    description: 'Takes a photo and has it explained. "question" says what to look for.',
    properties: new PropertyList([new Property('question', PropertyType.STRING)]),
    callback: async ({ question }, context) => {
      // Before initialize a board knows no place to post to (docs/protocols/device-mcp.md).
      if (context.vision === undefined) throw new Error('Image explain URL or token is not set');
      const { status, text } = await postForm({
        url: context.vision.url,
        form: boardForm,
        picture: drawTestCard({ title: 'Virtual camera', at: host.now() }),
        fileName: 'camera.jpg',
        question: String(question),
        headers: questionHeaders(context),
        signal: context.signal,
      });
      if (status !== 200) throw new Error(`Failed to upload photo, status code: ${status}`);
      return text;
    },
  });
}
