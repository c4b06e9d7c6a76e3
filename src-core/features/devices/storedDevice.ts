import type { DeviceInfo } from '../../contract/types.ts';
import type { CallFault } from './wire/rpcPeer.ts';
import type { StoredDevice } from '../../store/frameTypes.ts';

/** What is stored of a device. `isConnected`: any of its connections is open. `callFault`: what came of its last call. */
export function storedDevice(info: DeviceInfo, isConnected: boolean, callFault?: CallFault): StoredDevice {
  const { board, firmware, leftAt, health, error } = info;
  const { userAgent, remoteAddress, remote, protocolVersion, features, audioParams } = info;
  const registryId = info.registryId ?? info.lastRegistryId;
  return {
    id: info.id,
    deviceId: info.deviceId,
    // The name that the user gave it is a setting.
    name: info.ownName ?? info.name,
    virtual: info.virtual,
    connectedAt: info.connectedAt,
    lastSeenAt: info.lastSeenAt,
    doctor: info.doctor,
    ...(board !== undefined && { board }),
    ...(firmware !== undefined && { firmware }),
    ...(userAgent !== undefined && { userAgent }),
    ...(remoteAddress !== undefined && { remoteAddress, remote }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(features !== undefined && { features }),
    ...(audioParams !== undefined && { audioParams }),
    // A second connection of the device may still be open after the one that is shown has ended.
    ...(leftAt === undefined && isConnected && { connected: true }),
    ...(leftAt !== undefined && { left: { at: leftAt, health } }),
    ...(callFault !== undefined && { callFault }),
    ...(error !== undefined && { error }),
    ...(registryId !== undefined && { registryId }),
  };
}
