/** Pictures and sound of a virtual board, as hosts of both eras receive them. */
import { expect, it } from 'vitest';

import { McpTool } from '../../../../src-core/deviceSide/mcp/mcpTool.ts';
import type { ToolContent } from '../../../../src-core/deviceSide/mcp/toolContent.ts';
import { virtualProfileOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench, readyDevice } from '../../workbench/openWorkbench.ts';
import { connectHost } from './connectHost.ts';

/** Starts a virtual board of which each tool answers with one block. Returns the prefix of the exported names. */
async function startBoard(workbench: Workbench, blocks: Record<string, ToolContent>): Promise<string> {
  const profile = virtualProfileOf('device-library');
  if (profile === undefined) throw new Error('There is no such profile.');
  const createTools = () =>
    Object.entries(blocks).map(([name, block]) => new McpTool({ name, description: name, callback: () => block }));
  const { deviceId } = await workbench.features.devices.startVirtual({ ...profile, createTools }, 'Kitchen');
  await readyDevice(workbench, deviceId);
  const [tool] = workbench.services.hosts.tools({ scope: { kind: 'device', id: deviceId } });
  return `${tool?.alias}_`;
}

it.each(['legacy', 'modern'] as const)(
  'a photo is an image with text, and sound is audio with text, %s',
  async (era) => {
    const workbench = await openWorkbench();
    // A board's message may have 512 KiB. `keptPictures.test.ts` has the pictures over 1 MB of other sources.
    const large = 'A'.repeat(400 * 1024);
    const prefix = await startBoard(workbench, {
      'self.camera.photo': { type: 'image', data: 'aGVsbG8=', mimeType: 'image/jpeg' },
      'self.camera.large': { type: 'image', data: large, mimeType: 'image/png' },
      'self.microphone.record': { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/ogg' },
    });
    const client = await connectHost(workbench, { era });
    const contentOf = async (name: string) => (await client.callTool({ name: prefix + name })).content;
    expect(await contentOf('camera_photo')).toEqual([
      { type: 'text', text: 'A picture, image/jpeg, 6 bytes.' },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/jpeg' },
    ]);
    expect((await contentOf('camera_large'))[1]).toEqual({ type: 'image', data: large, mimeType: 'image/png' });
    expect(await contentOf('microphone_record')).toEqual([
      { type: 'text', text: 'A recording, audio/ogg, 6 bytes.' },
      { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/ogg' },
    ]);
  },
);
