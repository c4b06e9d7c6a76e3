import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { postForm } from '../postForm.ts';
import type { VirtualHost } from '../profile.ts';
import { drawTestCard } from '../testCard/drawTestCard.ts';
import { boardForm } from './boardForm.ts';

const address = new PropertyList([new Property('url', PropertyType.STRING)]);

/** The tools for the user alone, last in every list (docs/protocols/device-mcp.md#tools-and-schemas). */
export function createUserTools({
  host,
  board,
  firmware,
}: {
  host: VirtualHost;
  board: string;
  firmware: string;
}): McpTool[] {
  const restart = () => {
    host.pullPlug();
    return true;
  };
  return [
    new McpTool({
      name: 'self.get_system_info',
      description: 'Reports the board, its chip and its firmware as JSON.',
      userOnly: true,
      callback: () =>
        JSON.stringify({ chip_model_name: 'esp32s3', application: { version: firmware }, board: { name: board } }),
    }),
    new McpTool({
      name: 'self.reboot',
      description: 'Restarts the device. The connection ends.',
      userOnly: true,
      callback: restart,
    }),
    new McpTool({
      name: 'self.upgrade_firmware',
      description: 'Loads another firmware and starts it. The connection ends.',
      // The firmware passes the description of the argument in place of its default.
      properties: new PropertyList([
        new Property('url', PropertyType.STRING, { defaultValue: 'Where the new firmware is loaded from' }),
      ]),
      userOnly: true,
      callback: restart,
    }),
    new McpTool({
      name: 'self.screen.get_info',
      description: 'Reports the size of the screen.',
      userOnly: true,
      callback: () => JSON.stringify({ width: 320, height: 240, monochrome: false }),
    }),
    new McpTool({
      name: 'self.screen.snapshot',
      description: 'Posts a picture of the screen to an address.',
      properties: new PropertyList([
        ...address,
        new Property('quality', PropertyType.INTEGER, { defaultValue: 80, minimum: 1, maximum: 100 }),
      ]),
      userOnly: true,
      callback: async ({ url }, { signal }) => {
        const picture = drawTestCard({ title: 'Virtual screen', at: host.now() });
        const posted = { url: String(url), form: boardForm, picture, fileName: 'screenshot.jpg', signal };
        const { status } = await postForm(posted);
        if (status !== 200) throw new Error(`Unexpected status code: ${status}`);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.preview_image',
      description: 'Shows the picture of an address on the screen.',
      properties: address,
      userOnly: true,
      callback: () => true,
    }),
    new McpTool({
      name: 'self.assets.set_download_url',
      description: 'Sets where fonts, sounds and pictures are loaded from.',
      properties: address,
      userOnly: true,
      callback: () => true,
    }),
  ];
}
