import { createConcurrentScheduler } from '../../../deviceSide/client/callScheduler.ts';
import { standardWire } from '../../../deviceSide/client/standardWire.ts';
import { McpServer } from '../../../deviceSide/mcp/mcpServer.ts';
import { standardDialect } from '../../../deviceSide/mcp/standardDialect.ts';
import { version } from '../../../base/version.ts';
import type { VirtualProfile } from './profile.ts';
import { drawTestCard } from './testCard/drawTestCard.ts';

/** Codes of a remote control to begin with. */
const codes = { tv_power: 'A1 F1 04 FB 08', tv_volume_up: 'A1 F1 04 FB 02' };

/** A program with toolwire/device and all of its managers, infrared among them; nothing of it is real. */
export const libraryProfile: VirtualProfile = {
  id: 'device-library',
  board: 'toolwire-device',
  firmware: version,
  dialect: standardDialect,
  wire: standardWire,
  createScheduler: createConcurrentScheduler,
  createTools: (host) => {
    const server = new McpServer();
    server.addCommonTools({
      camera: { capture: () => drawTestCard({ title: 'Virtual camera', at: host.now() }) },
      screenCapture: { capture: () => drawTestCard({ title: 'Virtual desktop', at: host.now() }) },
      ir: { simulated: true, codes },
    });
    return [...server.tools];
  },
};
