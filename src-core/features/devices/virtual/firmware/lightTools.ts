import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import type { BoardState } from './boardState.ts';

const colour = ['red', 'green', 'blue'].map(
  (name) => new Property(name, PropertyType.INTEGER, { minimum: 0, maximum: 255 }),
);
const hex = (value: unknown) => Number(value).toString(16).padStart(2, '0');

/** The LED strip of the board. */
export function createLightTools(state: BoardState): McpTool[] {
  return [
    new McpTool({
      name: 'self.led_strip.set_single_color',
      description: 'Lights one LED of the strip, counted from 0, in a colour.',
      properties: new PropertyList([
        new Property('index', PropertyType.INTEGER, { minimum: 0, maximum: state.leds.length - 1 }),
        ...colour,
      ]),
      callback: ({ index, red, green, blue }) => {
        state.leds[Number(index)] = `#${hex(red)}${hex(green)}${hex(blue)}`;
        return true;
      },
    }),
    new McpTool({
      name: 'self.led_strip.set_all_color',
      description: 'Lights the whole strip in one colour.',
      properties: new PropertyList(colour),
      callback: ({ red, green, blue }) => {
        state.leds.fill(`#${hex(red)}${hex(green)}${hex(blue)}`);
        return true;
      },
    }),
    new McpTool({
      name: 'self.led_strip.blink',
      description: 'Blinks the strip in one colour, with so many milliseconds between the changes.',
      properties: new PropertyList([
        ...colour,
        new Property('interval', PropertyType.INTEGER, { defaultValue: 500, minimum: 0, maximum: 1000 }),
      ]),
      callback: ({ interval }) => `blinking every ${String(interval)} ms`,
    }),
  ];
}
