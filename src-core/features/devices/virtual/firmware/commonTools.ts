import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import type { VirtualHost } from '../profile.ts';
import type { BoardState } from './boardState.ts';
import { createCameraTool } from './cameraTool.ts';

const percent = (name: string) =>
  new PropertyList([new Property(name, PropertyType.INTEGER, { minimum: 0, maximum: 100 })]);

/** The tools that every board has first, in the firmware's order (docs/protocols/device-mcp.md#tools-and-schemas). */
export function createCommonTools(state: BoardState, host: VirtualHost): McpTool[] {
  return [
    new McpTool({
      name: 'self.get_device_status',
      description: 'Reports speaker volume, screen brightness and theme, battery, network and lights as JSON.',
      callback: () =>
        JSON.stringify({
          audio_speaker: { volume: state.volume },
          screen: { brightness: state.brightness, theme: state.theme },
          battery: state.battery,
          network: { type: 'wifi', ssid: 'virtual', signal: 'strong' },
          led_strip: state.leds,
        }),
    }),
    new McpTool({
      name: 'self.audio_speaker.set_volume',
      description: 'Sets how loud the speaker is, from 0 (silent) to 100.',
      properties: percent('volume'),
      callback: ({ volume }) => {
        state.volume = Number(volume);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.set_brightness',
      description: 'Sets how bright the screen is, from 0 (off) to 100.',
      properties: percent('brightness'),
      callback: ({ brightness }) => {
        state.brightness = Number(brightness);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.set_theme',
      description: 'Switches the screen to the theme "light" or "dark". Any other name answers false.',
      properties: new PropertyList([new Property('theme', PropertyType.STRING)]),
      callback: ({ theme }) => {
        if (theme !== 'light' && theme !== 'dark') return false;
        state.theme = theme;
        return true;
      },
    }),
    createCameraTool(host),
  ];
}
