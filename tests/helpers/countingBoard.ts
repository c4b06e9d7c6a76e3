/** A board in a process of its own: `node countingBoard.ts OTA-URL NAME`. Prints the id of each call of `self.run` when it runs. */
import { McpTool } from '../../src-core/deviceSide/mcp/mcpTool.ts';
import { Property } from '../../src-core/deviceSide/mcp/property.ts';
import { PropertyList } from '../../src-core/deviceSide/mcp/propertyList.ts';
import { virtualProfileOf } from '../../src-core/features/devices/virtual/profiles.ts';
import { createVirtualDevice } from '../../src-core/features/devices/virtual/virtualDevice.ts';

const [url = '', name = ''] = process.argv.slice(2);
const run = new McpTool({
  name: 'self.run',
  description: 'Runs.',
  properties: new PropertyList([new Property('id', 'string')]),
  callback: ({ id }) => {
    console.log(String(id));
    return Promise.resolve(String(id));
  },
});
const profile = { ...virtualProfileOf('device-library')!, createTools: () => [run] };
await createVirtualDevice({ url, name, profile }).connect();
