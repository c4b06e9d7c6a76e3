import { DeviceClient } from '../../deviceSide/client/deviceClient.ts';
import type { DeviceClientState } from '../../deviceSide/client/deviceClient.ts';
import { McpServer } from '../../deviceSide/mcp/mcpServer.ts';
import { faultyDialect } from './faultyDialect.ts';
import { faultyTools } from './faultyTools.ts';
import { faultyWire } from './faultyWire.ts';
import type { VirtualFault } from './faults.ts';
import type { VirtualHost, VirtualProfile } from './profile.ts';

export interface VirtualDeviceOptions {
  /** `http://…` is an OTA address to ask first, `ws://…` the WebSocket itself. */
  url: string;
  profile: VirtualProfile;
  /** A MAC address; a made-up, locally administered one unless told. */
  deviceId?: string;
  /** What people see it called; the board's name unless told. */
  name?: string;
  /** Closes the device when it aborts. */
  signal?: AbortSignal;
  /** ms that each tools/call takes; 0 unless told. */
  latencyMs?: number;
  /** What is wrong with it; nothing unless told. */
  faults?: readonly VirtualFault[];
  /** Comes back when the connection is lost; real devices do not. */
  reconnect?: boolean;
  /** Hears of each change of state; `reason` says why it was lost or closed. */
  onState?: (state: DeviceClientState, reason?: string) => void;
}

/** A device without hardware: a real WebSocket client that behaves as a certain real one. */
export interface VirtualDevice {
  readonly deviceId: string;
  state: () => DeviceClientState;
  /** Asks OTA where needed, connects and says hello. Resolves when the server's hello came, within 10 s. */
  connect: () => Promise<void>;
  /** Ends as its kind does: a board without a word, py-xiaozhi with a close frame. */
  close: () => Promise<void>;
  /** Cuts the TCP connection without a word, as a lost power supply does. */
  pullPlug: () => void;
}

/** Makes a device of a profile; it connects when told. */
export function createVirtualDevice(options: VirtualDeviceOptions): VirtualDevice {
  const { url, profile, deviceId, name, signal, onState, latencyMs = 0, reconnect = false } = options;
  const faults = new Set(options.faults);
  const host: VirtualHost = { pullPlug: () => client.terminate() };
  const server = new McpServer({
    name: profile.board,
    version: profile.firmware,
    dialect: faultyDialect(profile.dialect, faults),
  });
  for (const tool of faultyTools({ tools: profile.createTools(host), faults, latencyMs, host })) server.addTool(tool);
  const client = new DeviceClient({
    url,
    server,
    board: profile.board,
    version: profile.firmware,
    wire: faultyWire(profile.wire, faults),
    createScheduler: profile.createScheduler,
    reconnect,
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(name === undefined ? {} : { name }),
    ...(signal === undefined ? {} : { signal }),
    ...(onState === undefined ? {} : { onState }),
  });
  return {
    deviceId: client.identity.deviceId,
    state: () => client.state,
    connect: () => client.connect(),
    close: () => client.close(),
    pullPlug: host.pullPlug,
  };
}
