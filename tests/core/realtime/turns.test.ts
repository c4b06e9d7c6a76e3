/** Push to talk: the client says where a turn ends. */
import { expect, test } from 'vitest';

import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { QwenOmniRealtimeProvider } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import type { RealtimeProviderOptions } from '../../../src-core/realtime/providers/socketRealtimeProvider.ts';
import { connectedBed, weatherTool } from './beds.ts';

const input = (turns: unknown) => ({ audio: { input: expect.objectContaining({ turn_detection: turns }) } });
const flat = (turns: unknown) => ({ turn_detection: turns });

test.each([
  ['OpenAI', (options: RealtimeProviderOptions) => new OpenAIRealtimeProvider(options), input],
  ['the beta', (options: RealtimeProviderOptions) => new OpenAIRealtimeProvider({ ...options, dialect: 'beta' }), flat],
  ['Qwen', (options: RealtimeProviderOptions) => new QwenOmniRealtimeProvider(options), flat],
])(
  '%s: the server hears no pauses, a turn is committed and answered, and the server hears them again',
  async (_name, make, turns) => {
    const { provider, peer } = await connectedBed(make);
    const off = provider.updateSession({ turns: 'client' });
    const update = await peer.next('session.update');
    expect(update.session).toMatchObject(turns(null));
    peer.send({ type: 'session.updated', session: update.session });
    await off;
    await provider.sendAudio(new Uint8Array(provider.inputSampleRate));
    await provider.commitAudio();
    await peer.next('input_audio_buffer.append');
    await peer.next('input_audio_buffer.commit');
    await peer.next('response.create');
    peer.send(
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.done', response: { id: 'resp_1' } },
    );
    void provider.updateSession({ turns: 'server' }).catch(() => {});
    expect((await peer.next('session.update')).session).toMatchObject(turns({ type: 'server_vad' }));
  },
);

test('a press too short to be speech is thrown away, and nothing is answered', async () => {
  const { provider, peer } = await connectedBed();
  void provider.updateSession({ turns: 'client' }).catch(() => {});
  await provider.sendAudio(new Uint8Array(4_798));
  await provider.commitAudio();
  await peer.next('input_audio_buffer.clear');
  await provider.sendAudio(new Uint8Array(4_800));
  await provider.commitAudio();
  await peer.next('input_audio_buffer.commit');
  await peer.next('response.create');
  expect(peer.received.filter(({ type }) => /commit|clear|create/.test(type))).toHaveLength(3);
});

test('other changes leave it, and a new connection is set so again', async () => {
  const { provider, heard, server, peer, clock } = await connectedBed();
  const off = provider.updateSession({ turns: 'client' });
  const update = await peer.next('session.update');
  peer.send({ type: 'session.updated', session: update.session });
  await off;
  void provider.updateSession({ tools: [weatherTool] }).catch(() => {});
  expect((await peer.next('session.update')).session).not.toHaveProperty('audio');
  peer.drop();
  await heard.until('event.realtime.disconnected');
  await provider.sendAudio(new Uint8Array(48_000));
  await expect(provider.commitAudio()).rejects.toThrow(/say them again/);
  clock.pass(500);
  const again = await server.nextPeer();
  expect((await again.greet()).session).toMatchObject(input(null));
  await again.settled();
  // What was said meanwhile has no end, and is no part of the next turn.
  expect(again.received.filter(({ type }) => type === 'input_audio_buffer.append')).toEqual([]);
});
