import { McpTool } from '../mcp/mcpTool.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { explainOrReturn } from './explainPicture.ts';
import { simulatedPicture, type Picture } from './picture.ts';

/** What takes pictures of a screen. */
export interface ScreenCapture {
  /** `display` is what the caller asks for; empty is all of them. Its failure becomes the answer. */
  capture: (options: { display: string; signal: AbortSignal }) => Picture | Promise<Picture>;
}

/** Always the same pixel. */
export function createSimulatedScreenCapture(): ScreenCapture {
  return { capture: () => simulatedPicture };
}

/**
 * `self.screen.take_screenshot`: posts the picture and the question to the server's address for pictures and returns the
 * answer; if the server named no address, it returns the picture.
 */
export function createScreenshotManager(screen: ScreenCapture = createSimulatedScreenCapture()): ToolManager {
  return {
    initTools(addTool, PropertyList, Property, PropertyType) {
      addTool(
        new McpTool({
          name: 'self.screen.take_screenshot',
          description:
            'Takes a picture of the screen and has it explained. "question" says what to look for, "display" which screen; ' +
            'empty is all of them. The picture may show private things: ask the user first.',
          properties: new PropertyList([
            new Property('question', PropertyType.STRING),
            new Property('display', PropertyType.STRING, { defaultValue: '' }),
          ]),
          callback: async ({ question, display }, context) => {
            const picture = await screen.capture({ display: String(display), signal: context.signal });
            return explainOrReturn({ picture, question: String(question), context });
          },
        }),
      );
    },
  };
}
