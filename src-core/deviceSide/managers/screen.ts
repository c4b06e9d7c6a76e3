import type { JsonObject } from '../../base/json.ts';
import { McpTool } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';

/** What shows something. */
export interface Screen {
  /** 0 to 100. Rejects if it cannot; the reason becomes the answer. */
  setBrightness: (brightness: number) => void | Promise<void>;
  /** Names of the available themes. */
  themes: readonly string[];
  /** One of `themes`. */
  setTheme: (theme: string) => void | Promise<void>;
  status: () => JsonObject | Promise<JsonObject>;
}

/** A brightness and a theme that nothing shows. */
export function createSimulatedScreen(): Screen {
  let brightness = 80;
  let theme = 'light';
  return {
    setBrightness: (next) => void (brightness = next),
    themes: ['light', 'dark'],
    setTheme: (next) => void (theme = next),
    status: () => ({ brightness, theme, simulated: true }),
  };
}

/** `self.screen.set_brightness` and `set_theme`. */
export function createScreenManager(screen: Screen = createSimulatedScreen()): ToolManager {
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.screen.set_brightness',
          description: 'Sets how bright the screen is, from 0 (off) to 100.',
          properties: new PropertyList([
            new Property('brightness', PropertyType.INTEGER, { minimum: 0, maximum: 100 }),
          ]),
          callback: async ({ brightness }) => {
            await screen.setBrightness(Number(brightness));
            return true;
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.screen.set_theme',
          description: `Switches the theme of the screen. Themes: ${screen.themes.join(', ')}.`,
          properties: new PropertyList([new Property('theme', PropertyType.STRING)]),
          callback: async ({ theme }) => {
            if (typeof theme !== 'string' || !screen.themes.includes(theme))
              throw new Error(`There is no such theme. Choose one of: ${screen.themes.join(', ')}.`);
            await screen.setTheme(theme);
            return true;
          },
        }),
      );
    },
  };
}
