import { RequestError } from '../../../base/requestError.ts';
import { firmwareProfile } from './firmware/firmwareProfile.ts';
import type { VirtualProfile } from './profile.ts';
import { createPyXiaozhiProfile } from './pyXiaozhi/pyXiaozhiProfile.ts';
import { createVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from './virtualDevice.ts';
import { createConcurrentScheduler } from '../../../deviceSide/client/callScheduler.ts';
import { standardWire } from '../../../deviceSide/client/standardWire.ts';
import { McpServer } from '../../../deviceSide/mcp/mcpServer.ts';
import { standardDialect } from '../../../deviceSide/mcp/standardDialect.ts';
import { version } from '../../../base/version.ts';
import { virtualUserAgent } from './virtualUserAgent.ts';
import { drawTestCard } from './testCard/drawTestCard.ts';

/** Codes of a remote control to begin with. */
const codes = { tv_power: 'A1 F1 04 FB 08', tv_volume_up: 'A1 F1 04 FB 02' };

/** A program with toolwire/device and all of its managers, infrared among them; nothing of it is real. */
const libraryProfile: VirtualProfile = {
  id: 'device-library',
  board: 'toolwire-device',
  firmware: version,
  dialect: standardDialect,
  wire: { ...standardWire, headers: () => ({ 'User-Agent': virtualUserAgent }) },
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

const profiles = new Map<string, VirtualProfile>(
  [firmwareProfile, createPyXiaozhiProfile(), libraryProfile].map((profile) => [profile.id, profile]),
);

/** The board that the firmware runs on is a name for it too. */
const aliases = new Map([[firmwareProfile.board, firmwareProfile]]);

/** Ids of the kinds of virtual device there are; the first is what one gets unasked. */
export const virtualProfileIds: readonly string[] = [...profiles.keys()];

/** The profile of that id, or of the board of that name. */
export function virtualProfileOf(id: string): VirtualProfile | undefined {
  return profiles.get(id) ?? aliases.get(id);
}

/**
 * Makes a virtual device of a named profile, the first one by default.
 * @throws RequestError naming `profile` and the known ids.
 */
export function createVirtualDeviceOf(
  profile: string | undefined,
  options: Omit<VirtualDeviceOptions, 'profile'>,
): VirtualDevice {
  const id = profile ?? firmwareProfile.id;
  const found = virtualProfileOf(id);
  if (found !== undefined) return createVirtualDevice({ ...options, profile: found });
  throw new RequestError(`There is no virtual device "${id}". Choose one of: ${virtualProfileIds.join(', ')}.`, {
    field: 'profile',
  });
}
