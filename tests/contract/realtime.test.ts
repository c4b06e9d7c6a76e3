/** A realtime conversation over each carrier: sound in, the voice as a stream, wrong input refused before a handler sees it. */
import { describe, expect, onTestFinished, test } from 'vitest';

import type { Client } from '../../src-core/rpc/client.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import { dataFolder } from '../core/workbench/openWorkbench.ts';
import { toneBase64 } from '../core/features/realtime/support.ts';
import { carriers } from './carriers.ts';
import type { Carrier } from './carriers.ts';

async function connect(carrier: Carrier): Promise<{ client: Client; errors: unknown[] }> {
  const dataDir = dataFolder();
  const errors: unknown[] = [];
  const workbench = await createWorkbench({
    checkOutputs: true,
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    realtime: { paceMs: 0 },
    onError: (error) => errors.push(error),
  });
  const started = await carrier.start(workbench, dataDir);
  const connection = await started.connect();
  onTestFinished(async () => {
    connection.cut();
    await started.stop();
    await workbench.close();
  });
  return { client: connection.client, errors };
}

describe.each(carriers)('realtime over $name', (carrier) => {
  test('a window speaks, hears the voice as it comes, and reads what happened', async () => {
    const { client, errors } = await connect(carrier);
    const { sessionId: id } = await client.realtime.open({});
    const voice = await client.realtime.voice({ id });
    await client.realtime.sendAudio({ id, pcm: toneBase64(16_000), sampleRate: 16_000 });
    await client.realtime.endAudio({ id });
    // The person spoke: whatever was to be heard is void.
    expect((await voice.next()).value).toEqual({ kind: 'flush' });
    expect((await voice.next()).value).toMatchObject({ kind: 'audio', sampleRate: 24_000 });
    const { session, timeline, revision } = await client.realtime.updates({ id, revision: 0 });
    expect(session).toMatchObject({ state: 'connected', from: { kind: 'window' } });
    expect(timeline.map(({ lane }) => lane)).toEqual(expect.arrayContaining(['user-speech', 'response', 'bot-audio']));
    expect(revision).toBeGreaterThan(0);
    await client.realtime.close({ id });
    // The subscription ends with the conversation.
    for await (const piece of voice) expect(piece.kind).toBe('audio');
    await client.realtime.remove({ id });
    expect(await client.realtime.sessions()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('wrong input names its field', async () => {
    const { client } = await connect(carrier);
    const { sessionId: id } = await client.realtime.open({});
    const field = (name: string) => ({ data: expect.objectContaining({ field: name }) as unknown });
    await expect(client.realtime.sendAudio({ id, pcm: '*', sampleRate: 16_000 })).rejects.toMatchObject(field('pcm'));
    await expect(client.realtime.sendAudio({ id, pcm: '', sampleRate: 7 })).rejects.toMatchObject(field('sampleRate'));
    await expect(client.realtime.open({ profileId: 'none' })).rejects.toMatchObject(field('profileId'));
    await expect(client.realtime.voice({ id: 'none' })).rejects.toMatchObject(field('id'));
  });
});
