import type { OpusFrameMs } from '../../../audio/opusFormat.ts';
import type { CallScheduler } from '../../../deviceSide/client/callScheduler.ts';
import type { DeviceWire } from '../../../deviceSide/client/deviceWire.ts';
import type { McpDialect } from '../../../deviceSide/mcp/dialect.ts';
import type { McpTool } from '../../../deviceSide/mcp/mcpTool.ts';

/** What a running tool may do to its device. */
export interface VirtualHost {
  /** Cuts the connection without a close frame, as a restart does. */
  pullPlug: () => void;
  /** The time that its pictures show. */
  now: () => Date;
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
  /** How it listens: `auto` leaves it to the server to detect the end, `manual` sends it; `auto` by default. */
  listenMode?: 'auto' | 'manual';
  /** ms of sound in one packet that it sends; 60 by default. */
  frameMs?: OpusFrameMs;
  /** Frames of silence it sends each time it begins to listen, as a board does in silence; none by default. */
  silentFrames?: number;
  /**
   * ms without data from the server after which a press of the button drops the connection and opens another
   * (docs/protocols/xiaozhi.md#messages); never by default.
   */
  channelTimeoutMs?: number;
  /** The tools of one device, around a state of their own. */
  createTools: (host: VirtualHost) => McpTool[];
}
