/** Settings of a session beside instructions, tools and voice: how each dialect names them. */
import { expect, test } from 'vitest';
import {
  openAiBetaDialect,
  openAiDialect,
  OpenAIRealtimeProvider,
} from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { qwenDialect } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import type { RealtimeSessionOptions } from '../../../src-core/base/realtimeTypes.ts';
import { connectedBed } from './beds.ts';

const all: RealtimeSessionOptions = {
  transcription: { model: 'mine', language: 'de' },
  turnDetection: { type: 'server_vad', threshold: 0.6, prefixPaddingMs: 200, silenceMs: 800 },
  temperature: 0.7,
  speed: 1.2,
  output: 'text',
  extra: { audio: { input: { noise_reduction: { type: 'near_field' } } }, include: ['x'], temperature: 0.9 },
};
const detection = { type: 'server_vad', threshold: 0.6, prefix_padding_ms: 200, silence_duration_ms: 800 };

test('OpenAI names them nested', () => {
  expect(openAiDialect.session(all, { first: true, all })).toEqual({
    type: 'realtime',
    output_modalities: ['text'],
    temperature: 0.9,
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: { model: 'mine', language: 'de' },
        turn_detection: detection,
        noise_reduction: { type: 'near_field' },
      },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, speed: 1.2 },
    },
    include: ['x'],
  });
});

test.each([
  [openAiBetaDialect, 'pcm16'],
  [qwenDialect, 'pcm'],
] as const)('the flat dialects name them flat: %#', (dialect, format) => {
  const { extra, ...settings } = all;
  expect(extra).toBeDefined();
  expect(dialect.session(settings, { first: true, all: settings })).toEqual({
    modalities: ['text'],
    input_audio_format: format,
    output_audio_format: format,
    input_audio_transcription: { model: 'mine', language: 'de' },
    turn_detection: detection,
    temperature: 0.7,
    speed: 1.2,
  });
});

test('a change sends the whole input again, since servers replace it, and nothing that stays', () => {
  const settings = { ...all, extra: undefined };
  const change = { turns: 'client' as const };
  expect(openAiDialect.session(change, { first: false, all: { ...settings, ...change } })).toEqual({
    type: 'realtime',
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: { model: 'mine', language: 'de' },
        turn_detection: null,
      },
    },
  });
  expect(qwenDialect.session({ temperature: 0.3 }, { first: false, all: settings })).toEqual({ temperature: 0.3 });
  expect(qwenDialect.session({ output: 'audio' }, { first: false, all: settings })).toEqual({
    modalities: ['text', 'audio'],
  });
});

test('without transcription none is asked for; later it is turned off with null', () => {
  const off = { transcription: false as const };
  const first = openAiDialect.session(off, { first: true, all: off });
  expect(first).not.toHaveProperty('audio.input.transcription');
  expect(openAiDialect.session(off, { first: false, all: off })).toHaveProperty('audio.input.transcription', null);
  // Qwen transcribes unless told otherwise.
  expect(qwenDialect.session(off, { first: true, all: off })).toHaveProperty('input_audio_transcription', null);
  const german = { transcription: { language: 'de' } };
  expect(openAiDialect.session(german, { first: true, all: german })).toHaveProperty('audio.input.transcription', {
    model: 'gpt-transcribe',
    language: 'de',
  });
});

test('without a model for transcription the beta dialect asks for its own, and Qwen leaves the choice to the server', () => {
  expect(openAiBetaDialect.session({}, { first: true, all: {} })).toHaveProperty('input_audio_transcription', {
    model: 'whisper-1',
  });
  expect(qwenDialect.session({}, { first: true, all: {} })).not.toHaveProperty('input_audio_transcription');
});

test('semantic_vad has an eagerness and no silence', () => {
  const semantic = { turnDetection: { type: 'semantic_vad' as const, eagerness: 'high' as const, silenceMs: 5 } };
  expect(openAiDialect.session(semantic, { first: true, all: semantic })).toHaveProperty('audio.input.turn_detection', {
    type: 'semantic_vad',
    eagerness: 'high',
  });
});

test('a provider sends its settings first, and again after a loss with what has changed since', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed(
    (options) => new OpenAIRealtimeProvider({ ...options, voice: 'marin', session: { output: 'text', speed: 1.1 } }),
  );
  expect(peer.received[0]?.session).toMatchObject({
    output_modalities: ['text'],
    audio: { output: { voice: 'marin', speed: 1.1 } },
  });
  const changed = provider.updateSession({ speed: 0.9, turnDetection: { type: 'semantic_vad' } });
  peer.send({ type: 'session.updated', session: (await peer.next('session.update')).session });
  await changed;
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  expect((await again.greet()).session).toMatchObject({
    output_modalities: ['text'],
    audio: { input: { turn_detection: { type: 'semantic_vad' } }, output: { voice: 'marin', speed: 0.9 } },
  });
});

test.for([
  [{ temperature: 3 }, 'temperature'],
  [{ temperature: Number.NaN }, 'temperature'],
  [{ speed: 0.1 }, 'speed'],
  [{ turnDetection: { type: 'server_vad', threshold: 2 } }, 'threshold'],
  [{ turnDetection: { type: 'server_vad', silenceMs: -1 } }, 'silenceMs'],
  [{ turnDetection: { type: 'server_vad', prefixPaddingMs: 70_000 } }, 'prefixPaddingMs'],
  [{ extra: { a: () => {} } as never }, 'extra'],
] as const)('a value that no server takes is refused here: %#', async ([session, field]) => {
  expect(() => new OpenAIRealtimeProvider({ url: 'ws://127.0.0.1:1/', model: 'm', session })).toThrow(
    expect.objectContaining({ field }),
  );
});
