import type { Service } from '../../contract/implementation.ts';
import type { Settings } from '../../contract/types.ts';
import type { vision } from '../../contract/vision.ts';
import type { DeviceHub } from '../devices/deviceHub.ts';
import type { VisionAccess } from './visionAccess.ts';
import type { VisionDesk } from './visionDesk.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { ToolError } from '../../base/errors.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { callPolicy } from '../calls/callPolicy.ts';
import type { CallTracker } from '../calls/callTracker.ts';
import type { RemovedBin } from '../trash/removedBin.ts';

/** The boards' tool that posts a picture of the screen to an address (docs/protocols/xiaozhi.md#vision). */
const snapshotTool = 'self.screen.snapshot';

/** Pictures of devices, their questions, and pictures of their screens on demand. */
export function createVisionService(options: {
  desk: VisionDesk;
  access: VisionAccess;
  hub: Pick<DeviceHub, 'device'>;
  toolRegistryManager: ToolRegistryManager;
  tracker: CallTracker;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  settings: () => Settings;
  onError: ErrorReporter;
}) {
  const { desk, access, hub, toolRegistryManager, tracker, bin, settings, onError } = options;

  bin.handle('picture', {
    inMemory: true,
    restore: ({ of }) => desk.putBack(of),
    discard: ({ of }) => desk.remove(of),
  });

  function registryOf(deviceId: string): string {
    const device = hub.device(deviceId);
    const registry = toolRegistryManager.getTool(device?.registryId ?? '');
    if (device === undefined || registry === undefined)
      throw new RequestError('The device is not ready. Let it connect first.', { field: 'deviceId' });
    if (registry.getMetadata().methods.every(({ name }) => name !== snapshotTool)) {
      throw new RequestError(
        `${device.name} lists no ${snapshotTool}. Boards with a screen do, where the tools for people are listed too.`,
        { field: 'deviceId' },
      );
    }
    return registry.id;
  }

  return {
    list: () => desk.list(),
    picture({ id }) {
      const { mediaType, data } = desk.picture(id);
      return { mediaType, base64: data.toString('base64') };
    },
    answer: ({ id, text }) => desk.answer(id, text),
    remove({ id }) {
      const { deviceName, question } = desk.setAside(id);
      bin.put({ kind: 'picture', name: question ?? deviceName ?? id, of: id });
    },
    async snapshot({ deviceId, quality }, signal?) {
      const toolName = registryOf(deviceId);
      const ticket = access.expectSnapshot(deviceId);
      try {
        const result = await executeSingleRequest(
          {
            toolName,
            command: snapshotTool,
            args: { url: ticket.url, ...(quality !== undefined && { quality }) },
          },
          {
            toolRegistryManager,
            ...callPolicy(settings()),
            caller: 'user',
            signal,
            // The user asked for it just now.
            onBeforeExecute: () => true,
            ...tracker.follow('executor'),
            onError,
          },
        );
        const id = ticket.pictureId();
        if (id !== undefined) return { id };
        throw new ToolError(
          result.error?.code ?? 'tool-error',
          result.status === 'error' ? result.result : 'The device says that it sent a picture, but none arrived here.',
        );
      } finally {
        ticket.end();
      }
    },
  } satisfies Service<typeof vision>;
}
