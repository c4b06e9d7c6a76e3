import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createAudioManager,
  createCalendarManager,
  createCameraManager,
  createIioSensor,
  createMusicManager,
  createScreenshotManager,
  createScreenManager,
  createSimulatedScreen,
  createTemperatureHumidityManager,
} from '../../../src-core/device.ts';
import type { JsonObject, MusicPlayer } from '../../../src-core/device.ts';
import { callTool, commonServer, serverOf } from './support/callTool.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-device-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('the common tools are there together, and what is simulated says so', async () => {
  const server = commonServer({ ir: { simulated: true } });
  expect(server.tools.map(({ name }) => name)).toEqual([
    'self.get_device_status',
    'self.audio_speaker.set_volume',
    'self.audio_speaker.get_volume',
    'self.screen.set_brightness',
    'self.screen.set_theme',
    'self.camera.take_photo',
    'self.screen.take_screenshot',
    'self.music_player.search_and_play',
    'self.music_player.pause',
    'self.music_player.resume',
    'self.music_player.stop',
    'self.music_player.seek',
    'self.music_player.get_status',
    'self.music_player.get_playlist',
    'self.calendar.create_event',
    'self.calendar.get_events',
    'self.calendar.update_event',
    'self.calendar.delete_event',
    'self.temperature_humidity.get',
    'self.ir.list_codes',
    'self.ir.send_named',
    'self.ir.send_hex',
    'self.ir.learn_external',
  ]);
  await callTool(server, 'self.audio_speaker.set_volume', { volume: 12 });
  await callTool(server, 'self.screen.set_theme', { theme: 'dark' });
  expect(JSON.parse((await callTool(server, 'self.get_device_status')).text)).toMatchObject({
    system: { platform: process.platform },
    audio_speaker: { volume: 12, simulated: true },
    screen: { theme: 'dark', brightness: 80, simulated: true },
    music_player: { state: 'stopped', simulated: true },
  });
  expect(JSON.parse((await callTool(server, 'self.temperature_humidity.get')).text)).toMatchObject({ simulated: true });
  expect(() => server.addCommonTools({ ir: { simulated: true } })).toThrow('already');
});

test('music is found, played, moved and stopped, and what cannot be done is the answer', async () => {
  const server = serverOf(createMusicManager());
  const music = async (name: string, args: JsonObject = {}) => callTool(server, `self.music_player.${name}`, args);
  const status = async () => JSON.parse((await music('get_status')).text) as JsonObject;
  expect(await music('pause')).toMatchObject({ text: 'No song is playing.', isError: true });
  expect(await music('search_and_play', { song_name: ' ' })).toMatchObject({ isError: true });
  const { songs } = JSON.parse((await music('get_playlist')).text) as { songs: string[] };
  expect(await music('search_and_play', { song_name: songs[1]!.toUpperCase() })).toMatchObject({ text: songs[1] });
  expect(await music('seek', { position: 90 })).toMatchObject({ text: 'true' });
  expect(await music('pause')).toMatchObject({ text: 'true' });
  expect(await status()).toEqual({ song: songs[1], state: 'paused', position: 90, duration: 180, simulated: true });
  expect(await music('resume')).toMatchObject({ text: 'true' });
  expect(await music('seek', { position: 181 })).toMatchObject({ text: 'The song is 180 s long.', isError: true });
  expect(await music('stop')).toMatchObject({ text: 'true' });
  expect(await status()).toMatchObject({ state: 'stopped', position: 0 });
  expect(await music('seek', { position: 1 })).toMatchObject({ isError: true });
});

test('calls a custom player and returns its failures', async () => {
  const done: string[] = [];
  const player: MusicPlayer = {
    play: async (song) => Promise.reject(new Error(`No song "${song}".`)),
    pause: () => void done.push('pause'),
    resume: () => void done.push('resume'),
    stop: () => void done.push('stop'),
    seek: async (position) => Promise.resolve(void done.push(`seek ${position}`)),
    playlist: async () => Promise.resolve(['晴天']),
    status: () => ({ state: 'playing' }),
  };
  const server = serverOf(createMusicManager(player));
  const call = (name: string, args: JsonObject = {}) => callTool(server, `self.music_player.${name}`, args);
  expect(await call('search_and_play', { song_name: '晴天' })).toMatchObject({
    text: 'No song "晴天".',
    isError: true,
  });
  for (const name of ['pause', 'resume', 'stop']) expect(await call(name)).toMatchObject({ text: 'true' });
  await call('seek', { position: 5 });
  expect(done).toEqual(['pause', 'resume', 'stop', 'seek 5']);
  expect((await call('get_playlist')).text).toBe('{"songs":["晴天"]}');
  expect((await call('get_status')).text).toBe('{"state":"playing"}');
});

test('a screenshot is of the display that was asked for; without an address for pictures it is the answer', async () => {
  const displays: string[] = [];
  const data = Uint8Array.from([1, 2, 3]);
  const capture = ({ display }: { display: string }) => {
    displays.push(display);
    return { data, mimeType: 'image/png' };
  };
  const server = serverOf(createScreenshotManager({ capture }));
  const { content } = await callTool(server, 'self.screen.take_screenshot', { question: '?' });
  expect(content).toEqual([{ type: 'image', data: 'AQID', mimeType: 'image/png' }]);
  await callTool(server, 'self.screen.take_screenshot', { question: '?', display: 'main' });
  expect(displays).toEqual(['', 'main']);
});

test('a speaker and a screen do what they are told, and their failures are the answer', async () => {
  let volume = 5;
  const speaker = {
    getVolume: async () => volume,
    setVolume: async (next: number) => {
      if (next > 50) throw new Error('The amplifier is off.');
      volume = next;
    },
    status: () => ({ volume }),
  };
  const server = serverOf(createAudioManager(speaker), createScreenManager(createSimulatedScreen()));
  expect(await callTool(server, 'self.audio_speaker.set_volume', { volume: 30 })).toMatchObject({ text: 'true' });
  expect(await callTool(server, 'self.audio_speaker.get_volume')).toMatchObject({ text: '30', isError: false });
  expect(await callTool(server, 'self.audio_speaker.set_volume', { volume: 60 })).toMatchObject({
    text: 'The amplifier is off.',
    isError: true,
  });
  expect(await callTool(server, 'self.screen.set_brightness', { brightness: 3 })).toMatchObject({ text: 'true' });
  expect(await callTool(server, 'self.screen.set_theme', { theme: 'pink' })).toMatchObject({
    text: 'There is no such theme. Choose one of: light, dark.',
    isError: true,
  });
});

describe('the camera', () => {
  async function startVision(status: number, answer: string) {
    const posts: { headers: IncomingHttpHeaders; body: string }[] = [];
    const vision = createServer(async (request, response) => {
      posts.push({ headers: request.headers, body: await text(request.setEncoding('latin1')) });
      response.writeHead(status).end(answer);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      vision.closeAllConnections();
      vision.close();
    });
    await once(vision, 'listening');
    return { posts, url: `http://127.0.0.1:${(vision.address() as AddressInfo).port}/mcp/vision/explain` };
  }

  async function serverWithVision(url: string) {
    const server = serverOf(createCameraManager());
    const params = { capabilities: { vision: { url, token: 'vtok' } } };
    await server.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return server;
  }

  test('returns the picture itself if there is no explain URL', async () => {
    const { content } = await callTool(serverOf(createCameraManager()), 'self.camera.take_photo', { question: '?' });
    expect(content).toEqual([
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) as string },
    ]);
  });

  test('has it explained by whom initialize named, the question before the file', async () => {
    const { url, posts } = await startVision(200, '{"success":true,"response":"a lamp"}');
    const server = await serverWithVision(url);
    const answer = await server.handle(
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'self.camera.take_photo', arguments: { question: 'what is it?' } },
      },
      { identity: { deviceId: '02:00:00:00:00:01', clientId: 'c-1' } },
    );
    expect(answer).toContain(JSON.stringify('{"success":true,"response":"a lamp"}'));
    expect(posts[0]?.headers).toMatchObject({
      authorization: 'Bearer vtok',
      'device-id': '02:00:00:00:00:01',
      'client-id': 'c-1',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
    });
    expect(posts[0]?.body).toMatch(/name="question"\r\n\r\nwhat is it\?\r\n[^]*name="file"; filename="camera.jpg"/);
  });

  test.each([
    [503, 'x', 'The picture was answered with status 503.'],
    [200, 'x'.repeat(70_000), 'The picture was answered with more than 65536 bytes.'],
  ])('says where the explanation fails (%#)', async (status, answer, message) => {
    const { url } = await startVision(status, answer);
    expect(await callTool(await serverWithVision(url), 'self.camera.take_photo', { question: '' })).toMatchObject({
      text: message,
      isError: true,
    });
  });

  test('refuses addresses that are not http', async () => {
    const said = await callTool(await serverWithVision('file:///etc/passwd'), 'self.camera.take_photo', {
      question: '',
    });
    expect(said).toMatchObject({ text: 'The address for pictures must be an http address.', isError: true });
  });
});

describe('the calendar', () => {
  const event = { title: 'Tea', start_time: '2026-08-06T15:00', end_time: '2026-08-06T16:00', description: 'green' };

  test('keeps events in a file for its user alone, and over restarts', async () => {
    const file = join(folder(), 'calendar.json');
    const first = serverOf(createCalendarManager({ file }));
    const { id } = JSON.parse((await callTool(first, 'self.calendar.create_event', event)).text) as { id: string };
    await callTool(first, 'self.calendar.create_event', { title: 'Lunch', start_time: '2026-08-06T12:00:00Z' });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = serverOf(createCalendarManager({ file }));
    const list = async (args = {}) =>
      (JSON.parse((await callTool(second, 'self.calendar.get_events', args)).text) as { events: { title: string }[] })
        .events;
    expect((await list()).map(({ title }) => title).sort()).toEqual(['Lunch', 'Tea']);
    expect(await list({ start_time: '2026-08-07' })).toEqual([]);
    expect(await list({ start_time: '2026-08-05', end_time: '2026-08-08' })).toHaveLength(2);
    await callTool(second, 'self.calendar.update_event', { event_id: id, title: 'Coffee' });
    expect(await list()).toContainEqual({ ...event, id, title: 'Coffee' });
    expect(await callTool(second, 'self.calendar.delete_event', { event_id: id })).toMatchObject({ text: 'true' });
    expect(await list()).toHaveLength(1);
  });

  test('loses no event of those that come at once', async () => {
    const server = serverOf(createCalendarManager({ file: join(folder(), 'calendar.json') }));
    await Promise.all(Array.from({ length: 20 }, () => callTool(server, 'self.calendar.create_event', event)));
    expect(JSON.parse((await callTool(server, 'self.calendar.get_events')).text)).toMatchObject({
      events: { length: 20 },
    });
  });

  test.each([
    [{ ...event, start_time: 'tomorrow' }, '"start_time" must be a time as in'],
    [{ ...event, start_time: '2026-13-45T99:99' }, '"start_time" must be a time as in'],
    [{ ...event, end_time: '2026-08-06T14:00' }, '"end_time" is before "start_time"'],
    [{ ...event, title: ' ' }, '"title" must not be empty'],
    [{ ...event, title: 'x'.repeat(201) }, '"title" may have 200 characters'],
  ])('refuses an invalid event (%#)', async (args, message) => {
    const said = await callTool(serverOf(createCalendarManager()), 'self.calendar.create_event', args);
    expect(said).toMatchObject({ text: expect.stringContaining(message) as string, isError: true });
  });

  test('says that an event is not there, or that its file is broken', async () => {
    const file = join(folder(), 'calendar.json');
    const server = serverOf(createCalendarManager({ file }));
    for (const name of ['self.calendar.delete_event', 'self.calendar.update_event'])
      expect(await callTool(server, name, { event_id: '?' })).toMatchObject({ isError: true });
    for (const broken of ['{', '[{"id":5}]']) {
      writeFileSync(file, broken);
      expect(await callTool(server, 'self.calendar.create_event', event)).toMatchObject({
        text: expect.stringContaining('Mend or remove it.') as string,
        isError: true,
      });
      expect(readFileSync(file, 'utf8')).toBe(broken);
    }
  });
});

test('a sensor that Linux drives is read from its files', async () => {
  const dir = folder();
  const server = serverOf(createTemperatureHumidityManager(createIioSensor(dir)));
  expect(await callTool(server, 'self.temperature_humidity.get')).toMatchObject({ isError: true });
  writeFileSync(join(dir, 'in_temp_input'), '21400\n');
  writeFileSync(join(dir, 'in_humidityrelative_input'), '48200\n');
  expect((await callTool(server, 'self.temperature_humidity.get')).text).toBe('{"temperature":21.4,"humidity":48.2}');
  writeFileSync(join(dir, 'in_temp_input'), 'hot');
  expect((await callTool(server, 'self.temperature_humidity.get')).text).toContain('in_temp_input holds no number');
});
