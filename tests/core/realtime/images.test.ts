/** Pictures that the user shows: how each dialect sends them, and what is refused. */
import { expect, test } from 'vitest';
import { BaseRealtimeProvider } from '../../../src-core/realtime/baseRealtimeProvider.ts';
import { ImageChunk } from '../../../src-core/realtime/chunks.ts';
import { noteText } from '../../../src-core/realtime/events/describeWireEvent.ts';
import { realtimeLimits } from '../../../src-core/realtime/limits.ts';
import { QwenOmniRealtimeProvider } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import { RealtimeStation } from '../../../src-core/realtime/stations/realtimeStation.ts';
import { connectedBed } from './beds.ts';

const picture = new ImageChunk({ data: new Uint8Array([255, 216, 255]), mimeType: 'image/jpeg' });

test('OpenAI gets an item of the conversation, and no response is asked for until there is a text', async () => {
  const { provider, heard, peer } = await connectedBed();
  const station = new RealtimeStation({ provider });
  await station.process(picture);
  expect((await peer.next('conversation.item.create')).item).toEqual({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_image', image_url: 'data:image/jpeg;base64,/9j/' }],
  });
  await peer.settled();
  expect(peer.received.some(({ type }) => type === 'response.create')).toBe(false);
  await provider.sendText('What is it?');
  await peer.next('response.create');
  const noted = heard.wire.find(({ text }) => text.includes('input_image'));
  expect(noted?.text).toContain('"image_url":"<3 bytes>"');
});

test('Qwen gets it into the buffer beside the sound', async () => {
  const { provider, heard, peer } = await connectedBed((options) => new QwenOmniRealtimeProvider(options));
  await provider.sendImage(picture);
  expect(await peer.next('input_image_buffer.append')).toMatchObject({ image: '/9j/' });
  expect(heard.wire.at(-1)?.text).toContain('"image":"<3 bytes>"');
});

test.for([
  [new Uint8Array(0), 'image/jpeg', 'image'],
  [new Uint8Array(realtimeLimits.imageBytes + 1), 'image/jpeg', 'image'],
  [new Uint8Array(3), 'text/plain', 'mimeType'],
  [new Uint8Array(3), 'image/x";base64,', 'mimeType'],
] as const)('what is no picture is refused: %#', async ([data, mimeType, field]) => {
  const { provider, peer } = await connectedBed();
  await expect(provider.sendImage({ data, mimeType })).rejects.toMatchObject({ field });
  expect(peer.received).toHaveLength(1);
});

test('while the connection is made again it is refused, and it is not told again', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  await provider.sendImage(picture);
  await peer.next('conversation.item.create');
  peer.drop();
  await heard.until('event.realtime.disconnected');
  await expect(provider.sendImage(picture)).rejects.toThrow('Send the picture once it is connected.');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  await again.settled();
  expect(again.received.map(({ type }) => type)).toEqual(['session.update']);
});

test('a provider without pictures says so', async () => {
  const none = { name: 'mine' };
  await expect(BaseRealtimeProvider.prototype.sendImage.call(none, picture)).rejects.toThrow(
    'mine does not support pictures (image/jpeg).',
  );
});

test('only data is cut from an event', () => {
  expect(noteText('x', '{"image_url":"https://example.org/a.png","image":"no base64!"}')).toBe(
    '{"image_url":"https://example.org/a.png","image":"no base64!"}',
  );
});
