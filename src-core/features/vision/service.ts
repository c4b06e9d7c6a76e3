import type { Implementation } from '../../contract/implementation.ts';
import type { vision } from '../../contract/vision.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { ToolError } from '../../base/errors.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Calls } from '../calls/service.ts';
import type { PictureNodes } from '../cluster/relayedPictures.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { Models } from '../models/service.ts';
import type { Trash } from '../trash/open.ts';
import { pictureAnswerer } from './pictureAnswerer.ts';
import { VisionAccess } from './visionAccess.ts';
import { VisionDesk } from './visionDesk.ts';
import { pictureReceiver } from './visionRoutes.ts';

/** The boards' tool that posts a picture of the screen to an address (docs/protocols/xiaozhi.md#vision). */
const snapshotTool = 'self.screen.snapshot';

/** Opens the pictures of devices, their questions, and pictures of their screens on demand. */
export function openVision(
  context: FeatureContext & { trash: Trash; models: Models; calls: Calls; devices: Devices; nodes: PictureNodes },
) {
  const { toolRegistryManager, events, settings, clock, onError, trash, models, calls, devices, nodes } = context;
  const { bin } = trash;
  const { hub } = devices;
  const access = new VisionAccess(nodes.id);
  const desk = new VisionDesk({
    clock,
    policy: () => settings().vision,
    answerPicture: () => pictureAnswerer(models),
    onChange: () => events.emit('changed', 'vision'),
  });
  hub.takePictures(pictureReceiver({ access, desk, nodes }));

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
        `${device.name} lists no ${snapshotTool}. Boards with a screen list it among their manual-only tools.`,
        { field: 'deviceId' },
      );
    }
    return registry.id;
  }

  const service = {
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
          { toolName, command: snapshotTool, args: { url: ticket.url, ...(quality !== undefined && { quality }) } },
          {
            toolRegistryManager,
            ...calls.policy(),
            caller: 'user',
            signal,
            // The user asked for it just now.
            onBeforeExecute: () => true,
            ...calls.follow('executor'),
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
  } satisfies Implementation<typeof vision>;
  return { service, close: () => desk.close() };
}
