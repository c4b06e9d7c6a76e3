import { DeviceClient } from '../../../deviceSide/client/deviceClient.ts';
import type { DeviceClientState } from '../../../deviceSide/client/deviceClient.ts';
import { McpServer } from '../../../deviceSide/mcp/mcpServer.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';
import { createEar, type HeardVoice } from './ear.ts';
import { faultyDialect } from './faultyDialect.ts';
import { faultyTools } from './faultyTools.ts';
import { faultyWire } from './faultyWire.ts';
import type { VirtualFault } from './faults.ts';
import { heardWire, tunedWire, versionedWire } from './heardWire.ts';
import type { VirtualHost, VirtualProfile } from './profile.ts';
import { sendSilence } from './silentSpeech.ts';
import { createVoice } from './voice.ts';

export interface VirtualDeviceOptions {
  /** `http://…` is an OTA address to ask first, `ws://…` the WebSocket itself. */
  url: string;
  profile: VirtualProfile;
  /** A MAC address; by default a random, locally administered one. */
  deviceId?: string;
  /** The name that is shown; the board's name by default. */
  name?: string;
  /** How it frames its audio; 1 by default (docs/protocols/xiaozhi.md#messages). */
  protocolVersion?: BinaryVersion;
  /** Closes the device when it aborts. */
  signal?: AbortSignal;
  /** ms that each tools/call takes; 0 by default. */
  latencyMs?: number;
  /** The faults that it simulates; none by default. */
  faults?: readonly VirtualFault[];
  /** Reconnects when the connection is lost; real devices do not. */
  reconnect?: boolean;
  /** Called on each change of state; `reason` says why the connection was lost or closed. */
  onState?: (state: DeviceClientState, reason?: string) => void;
  /** Frames from the server that are not MCP: tts, stt, llm, alert … (docs/protocols/xiaozhi.md#messages). */
  onMessage?: (message: JsonObject & { type: string }) => void;
  /** Called with the server's audio as it arrives: samples of one channel, at the rate of the server's hello. */
  onSpeech?: (pcm: Int16Array, sampleRate: number) => void;
  clock?: Clock;
}

/** A device without hardware: a real WebSocket client that behaves as a certain real one. */
export interface VirtualDevice {
  readonly deviceId: string;
  state: () => DeviceClientState;
  /** Asks OTA if needed, connects and sends its hello. Resolves when the server's hello arrives, within 10 s. */
  connect: () => Promise<void>;
  /**
   * Presses its button: it connects, or listens again if it is connected. A board that has received no data for 120 s
   * drops the connection without a close frame and opens another (docs/protocols/xiaozhi.md#messages).
   */
  press: () => Promise<void>;
  /**
   * Plays speech into its microphone in real time: 16-bit samples of one channel at 16,000 Hz. It sends `listen` start,
   * then Opus packets of its frame length, then a second of silence or, in manual mode, `listen` stop. Resolves when
   * the duration of the last packet has passed.
   * @throws {RequestError} If it is not connected, speaks already, or this is longer than 10 minutes.
   * @throws The reason of `signal` if it aborts; an Error if the connection is lost meanwhile.
   */
  say: (pcm: Int16Array | Uint8Array, options?: { signal?: AbortSignal | undefined }) => Promise<void>;
  /** The server's audio received so far. */
  heard: () => HeardVoice;
  /** Disconnects as its kind does: a board without a close frame, py-xiaozhi with one. */
  close: () => Promise<void>;
  /** Cuts the TCP connection without a close frame, as a power failure does. */
  pullPlug: () => void;
}

/** Makes a device of a profile; `connect` connects it. */
export function createVirtualDevice(options: VirtualDeviceOptions): VirtualDevice {
  const { url, profile, deviceId, name, signal, onState, onMessage, latencyMs = 0, reconnect = false } = options;
  const { clock = systemClock, protocolVersion: version = 1 } = options;
  const { silentFrames: frames = 0, channelTimeoutMs = Infinity } = profile;
  const faults = new Set(options.faults);
  const host: VirtualHost = { pullPlug: () => client.terminate(), now: () => new Date(clock.wall()) };
  let heardAt = clock.now();
  let stopSpeech = (): void => {};
  let onLost = (): void => {};

  const server = new McpServer({
    name: profile.board,
    version: profile.firmware,
    dialect: faultyDialect(profile.dialect, faults),
  });
  for (const tool of faultyTools({ tools: profile.createTools(host), faults, latencyMs, host })) server.addTool(tool);
  const ear = createEar({ version, onSpeech: options.onSpeech });
  const wire = heardWire(tunedWire(versionedWire(profile.wire, version), ear.tune), () => (heardAt = clock.now()));
  const client = new DeviceClient({
    url,
    server,
    board: profile.board,
    version: profile.firmware,
    wire: faultyWire(wire, faults),
    createScheduler: profile.createScheduler,
    reconnect,
    after: clock.after,
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(name === undefined ? {} : { name }),
    ...(signal === undefined ? {} : { signal }),
    ...(onMessage === undefined ? {} : { onMessage }),
    onAudio: ear.hear,
    onState: (state, reason) => {
      stopSpeech();
      if (state !== 'connected') voice.lose();
      if (state === 'closed') ear.close();
      if (state === 'connected') speak();
      else onLost();
      onState?.(state, reason);
    },
  });

  const voice = createVoice({
    mode: profile.listenMode ?? 'auto',
    frameMs: profile.frameMs ?? 60,
    version,
    clock,
    send: (message) => client.send({ session_id: client.sessionId, ...message }),
    sendAudio: (frame) => client.sendAudio(frame),
  });

  function speak(): void {
    stopSpeech = sendSilence({ frames, version, clock, send: (frame) => client.sendAudio(frame) });
  }

  async function press(): Promise<void> {
    if (client.state === 'connected' && clock.now() - heardAt >= channelTimeoutMs) {
      const lost = new Promise<void>((resolve) => (onLost = resolve));
      client.terminate();
      await lost;
    }
    if (client.state === 'idle' || client.state === 'closed') return client.connect();
    if (!client.send({ session_id: client.sessionId, type: 'listen', state: 'start', mode: 'auto' })) return;
    stopSpeech();
    speak();
  }

  return {
    deviceId: client.identity.deviceId,
    state: () => client.state,
    connect: () => client.connect(),
    press,
    say(pcm, { signal: sayingSignal } = {}) {
      stopSpeech();
      return voice.say(pcm, sayingSignal);
    },
    heard: ear.heard,
    close: () => client.close(),
    pullPlug: host.pullPlug,
  };
}
