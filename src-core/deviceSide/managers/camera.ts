import { McpTool } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { explainOrReturn } from './explainPicture.ts';
import { simulatedPicture, type Picture } from './picture.ts';

export interface Camera {
  /** Takes one picture. Rejects if it cannot; the reason becomes the answer. */
  capture: (options: { signal: AbortSignal }) => Picture | Promise<Picture>;
}

/** Takes the same one pixel each time. */
export function createSimulatedCamera(): Camera {
  return { capture: () => simulatedPicture };
}

/**
 * `self.camera.take_photo`: posts the picture and the question to the server's vision address, and returns its answer;
 * if the server named no such address, the picture itself (docs/protocols/xiaozhi.md#vision).
 */
export function createCameraManager(camera: Camera = createSimulatedCamera()): ToolManager {
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.camera.take_photo',
          description: 'Takes a photo and has it explained. "question" says what to look for.',
          properties: new PropertyList([new Property('question', PropertyType.STRING)]),
          callback: async ({ question }, context) => {
            const picture = await camera.capture({ signal: context.signal });
            return explainOrReturn({ picture, question: String(question), context });
          },
        }),
      );
    },
  };
}
