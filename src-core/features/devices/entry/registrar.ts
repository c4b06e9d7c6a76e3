import type { ToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import type { DeviceRecord } from './deviceRecord.ts';
import { nameOf } from './deviceRecord.ts';
import { createDeviceRegistry } from '../session/deviceRegistry.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { registryIdFor } from '../session/registryId.ts';

/** Where devices' tools are registered, and how many concurrent calls each device gets. */
export interface RegistrarOptions {
  toolRegistryManager: Pick<ToolRegistryManager, 'register' | 'notifyChanged' | 'getTool'>;
  /**
   * Concurrent calls to a device. One for boards, which run calls one after the other (docs/protocols/device-mcp.md,
   * Timing). py-xiaozhi handles frames concurrently and gets eight by default.
   */
  maxConcurrentCalls?: (device: { userAgent?: string; serverName?: string }) => number;
}

/** Keeps toolRegistryManager in sync with the devices. */
export interface Registrar {
  /** Registers, announces a change, or unregisters, depending on the session's state. */
  follow: (record: DeviceRecord, session: DeviceSession) => void;
  remove: (record: DeviceRecord) => void;
}

/** Makes a registrar; `records` returns all known devices, so that each keeps a unique registry id. */
export function createRegistrar(options: RegistrarOptions, records: () => DeviceRecord[]): Registrar {
  const { toolRegistryManager, maxConcurrentCalls = concurrencyOf } = options;

  function remove(record: DeviceRecord): void {
    record.unregister?.();
    delete record.unregister;
  }

  function identify(record: DeviceRecord, session: DeviceSession): string {
    const { name, version } = session.client.serverInfo;
    if (name !== undefined) record.board ??= name;
    if (version !== undefined) record.firmware = version;
    const isTaken = (id: string) =>
      toolRegistryManager.getTool(id) !== undefined ||
      records().some((other) => other !== record && other.registryId === id);
    return (record.registryId ??= registryIdFor({ board: name ?? 'device', deviceId: record.deviceId, isTaken }));
  }

  function follow(record: DeviceRecord, session: DeviceSession): void {
    const hasTools = session.state !== 'closed' && session.state !== 'failed' && session.hello?.mcp !== false;
    if (!hasTools) return remove(record);
    if (session.state !== 'ready') return;
    const id = identify(record, session);
    if (record.unregister !== undefined) {
      toolRegistryManager.notifyChanged(id);
      return;
    }
    const { name } = session.client.serverInfo;
    const { userAgent } = session.peer;
    session.client.concurrency = maxConcurrentCalls({
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(name === undefined ? {} : { serverName: name }),
    });
    record.unregister = toolRegistryManager.register(
      createDeviceRegistry({ id, name: nameOf(record), hubId: record.id, session }),
    );
  }

  return { follow, remove };
}

function concurrencyOf({ serverName }: { serverName?: string }): number {
  return serverName === 'py-xiaozhi' ? 8 : 1;
}
