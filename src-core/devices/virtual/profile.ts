import type { CallScheduler } from '../../deviceSide/client/callScheduler.ts';
import type { DeviceWire } from '../../deviceSide/client/deviceWire.ts';
import type { McpDialect } from '../../deviceSide/mcp/dialect.ts';
import type { McpTool } from '../../deviceSide/mcp/mcpTool.ts';

/** What a running tool may do to its device. */
export interface VirtualHost {
  /** Cuts the connection without a close frame, as a restart does. */
  pullPlug: () => void;
}

/** A kind of device: who it is, how it speaks, what it can do. */
export interface VirtualProfile {
  id: string;
  /** `serverInfo.name` of initialize, and the board's name in OTA. */
  board: string;
  firmware: string;
  dialect: McpDialect;
  wire: DeviceWire;
  createScheduler: () => CallScheduler;
  /** The tools of one device, around a state of their own. */
  createTools: (host: VirtualHost) => McpTool[];
}
