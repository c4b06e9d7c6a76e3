import type { ToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import type { DeviceDirectory } from './deviceDirectory.ts';
import { nameOf, type DeviceRecord } from './deviceRecord.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { registryIdFor } from '../session/registryId.ts';
import type { ToolMetadata, ToolRegistry } from '../../../registry/types.ts';
import { toolDanger } from '../session/readTool.ts';
import { isExactNumber } from '../../../base/exactNumber.ts';
import type { JsonObject } from '../../../base/json.ts';

/** `serverInfo.name` of clients that are programs on a computer: the limits of boards are not theirs. */
const programNames: ReadonlySet<string> = new Set(['py-xiaozhi', 'toolwire-device']);

/** Why a board may not answer at all: its WebSocket refuses larger frames. */
const silenceHint = 'A board sends no answer if it is larger than 65,535 bytes.';

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Arguments named in one remark. */
const maxNamed = 4;

/** The registry of devices' tools, and how many concurrent calls each device gets. */
export interface RegistrarOptions {
  toolRegistryManager: Pick<ToolRegistryManager, 'register' | 'notifyChanged' | 'getTool'>;
  /**
   * Concurrent calls to a device. One for boards, which run calls one after the other (docs/protocols/device-mcp.md,
   * Timing). py-xiaozhi handles frames concurrently and gets eight by default.
   */
  maxConcurrentCalls?: (serverName: string | undefined) => number;
  /** Returns whether another device than `id` had the tool id in an earlier run. By default, none had. */
  isReserved?: (registryId: string, id: string) => boolean;
}

/** Keeps toolRegistryManager in sync with the devices. */
export interface Registrar {
  /** Registers, announces a change, or unregisters, depending on the session's state. */
  follow: (record: DeviceRecord, session: DeviceSession) => void;
  remove: (record: DeviceRecord) => void;
}

/** Makes a registrar. Each device of the directory keeps a unique registry id. */
export function createRegistrar(
  options: RegistrarOptions,
  directory: Pick<DeviceDirectory, 'holderOf' | 'keepRegistryId'>,
): Registrar {
  const { toolRegistryManager, maxConcurrentCalls = concurrencyOf, isReserved } = options;

  function remove(record: DeviceRecord): void {
    record.unregister?.();
    delete record.unregister;
  }

  function identify(record: DeviceRecord, session: DeviceSession): string {
    const { name, version } = session.client.serverInfo;
    if (name !== undefined) record.board ??= name;
    if (version !== undefined) record.firmware = version;
    if (record.registryId !== undefined) return record.registryId;
    const isTaken = (id: string) =>
      (toolRegistryManager.getTool(id) ?? { yields: true }).yields !== true ||
      directory.holderOf(id) !== undefined ||
      isReserved?.(id, record.id) === true;
    const id = registryIdFor({ board: name ?? 'device', deviceId: record.deviceId, isTaken });
    directory.keepRegistryId(record, id);
    return id;
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
    session.client.concurrency = maxConcurrentCalls(session.client.serverInfo.name);
    record.unregister = toolRegistryManager.register(
      createDeviceRegistry({ id, name: () => nameOf(record), hubId: record.id, session }),
    );
  }

  return { follow, remove };
}

const concurrencyOf = (serverName: string | undefined): number => (serverName === 'py-xiaozhi' ? 8 : 1);

/** A ready device as a source of methods. Calls queue in it; `onStart` tells when one really goes out. */
function createDeviceRegistry(options: {
  id: string;
  name: () => string;
  hubId: string;
  session: DeviceSession;
}): ToolRegistry {
  const { id, name, hubId, session } = options;
  const isBoard = !programNames.has(session.client.serverInfo.name ?? '');
  return {
    id,
    get name() {
      return name();
    },
    get source() {
      return { kind: 'device' as const, id: hubId, label: name() };
    },
    queued: true,
    ...(isBoard && { silenceHint }),
    msSinceFrame: session.wire.msSinceFrame,
    getMetadata: () => metadataOf(session),
    // Without a limit: the caller keeps the time.
    invoke: (methodName, args, options) => {
      const output = session.client.sendCall(methodName, args, { ...options, timeoutMs: undefined });
      const remark = isBoard ? int32Remark(args) : undefined;
      return remark === undefined ? output : output.then((answer) => ({ ...answer, remark }));
    },
  };
}

function metadataOf(session: DeviceSession): ToolMetadata {
  const problem = session.client.listProblem?.message;
  const methods = session.client.tools.map((tool) => {
    const danger = toolDanger(tool);
    return {
      name: tool.name,
      description: tool.description,
      agentCallable: !tool.userOnly,
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
      ...(danger === undefined ? {} : { danger }),
    };
  });
  return { methods, ...(problem === undefined ? {} : { error: problem }) };
}

/** What the firmware makes of arguments that it takes without a word: its integers have 32 bits, and larger ones become the limit. */
function int32Remark(args: JsonObject): string | undefined {
  const named = Object.entries(args).flatMap(([name, value]) => {
    const number = isExactNumber(value) ? Number(JSON.stringify(value)) : value;
    if (typeof number !== 'number' || (number >= int32.minimum && number <= int32.maximum)) return [];
    return [`"${name}" = ${number < 0 ? int32.minimum : int32.maximum}`];
  });
  if (named.length === 0) return undefined;
  return `Boards read integers of 32 bits: the firmware reads ${named.slice(0, maxNamed).join(', ')}.`;
}
