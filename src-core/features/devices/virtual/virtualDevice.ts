import { setTimeout as delay } from 'node:timers/promises';

import { DeviceClient, type DeviceClientState } from '../../../deviceSide/client/deviceClient.ts';
import { McpServer } from '../../../deviceSide/mcp/mcpServer.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { payloadOf, readBinaryFrame, type BinaryVersion } from '../audio/readBinaryFrame.ts';
import type { VirtualFault } from './faults.ts';
import type { VirtualHost, VirtualProfile } from './profile.ts';
import { createVoice } from './voice.ts';
import type { McpDialect } from '../../../deviceSide/mcp/dialect.ts';
import { frameAudio } from '../audio/frameAudio.ts';
import { McpTool } from '../../../deviceSide/mcp/mcpTool.ts';
import type { DeviceWire } from '../../../deviceSide/client/deviceWire.ts';
import type { DeviceSocket } from '../../../deviceSide/client/deviceSocket.ts';
import { OpusDecoder, OpusPacketError } from '../../../audio/opusDecoder.ts';
import { isOpusSampleRate, type OpusSampleRate } from '../../../audio/opusFormat.ts';

/**
 * Kinds of garbage, one after the other: half a frame, no JSON at all, an answer to no request, text in a binary frame, a byte that
 * is not UTF-8.
 */
const garbage: readonly Spoiler[] = [
  (frame, socket) => socket.send(frame.slice(0, Math.ceil(frame.length / 2)), {}),
  (_frame, socket) => socket.send('\u0000E (4711) wifi: \u{fffd}\u{fffd} {"type":', {}),
  (_frame, socket) => socket.send('{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":-1,"result":{}}}', {}),
  (frame, socket) => socket.send(Buffer.from(frame), { binary: true }),
  (frame, socket) => socket.send(Buffer.concat([Buffer.from(frame), Buffer.from([0xe9])]), { binary: false }),
];

/** ms that the fault `slow` adds to each call: beyond the patience of some servers, within that of most. */
const slowMs = 5_000;

/** 60 ms of silence in Opus: three frames of 20 ms, as many as boards put into one packet. */
const silence = Buffer.from('fb03fffefffefffe', 'hex');

const frameMs = 60;

export interface VirtualDeviceOptions {
  /** `http://…` is an OTA address to ask first, `ws://…` the WebSocket itself. */
  url: string;
  profile: VirtualProfile;
  /** A MAC address; by default a random, locally administered one. */
  deviceId?: string;
  /** A random UUID by default. */
  clientId?: string;
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

function identityOf({ deviceId, clientId }: VirtualDeviceOptions): Pick<VirtualDeviceOptions, 'deviceId' | 'clientId'> {
  return { ...(deviceId !== undefined && { deviceId }), ...(clientId !== undefined && { clientId }) };
}

/** Makes a device of a profile; `connect` connects it. */
export function createVirtualDevice(options: VirtualDeviceOptions): VirtualDevice {
  const { url, profile, name, signal, onState, onMessage, latencyMs = 0, reconnect = false } = options;
  const { clock = systemClock, protocolVersion: version = 1 } = options;
  const { silentFrames: frames = 0, channelTimeoutMs = Infinity } = profile;
  const faults = new Set(options.faults);
  const host: VirtualHost = { pullPlug: () => client.terminate(), now: () => new Date(clock.wall()) };
  let heardAt = clock.now();
  let stopSpeech = (): void => {};
  let onLost = (): void => {};

  const server = createServer(profile, faults);
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
    ...identityOf(options),
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

function createServer(profile: VirtualProfile, faults: ReadonlySet<VirtualFault>): McpServer {
  const { board: name, firmware: version, dialect } = profile;
  return new McpServer({ name, version, dialect: faultyDialect(dialect, faults) });
}

/** With the fault `wrong-pages` the last page leads back to the first tool, so that who follows cursors never ends. */
function faultyDialect(dialect: McpDialect, faults: ReadonlySet<VirtualFault>): McpDialect {
  if (!faults.has('wrong-pages')) return dialect;
  return {
    ...dialect,
    listTools: (tools, params) => {
      const page = dialect.listTools(tools, params);
      return { ...page, nextCursor: page['nextCursor'] ?? tools[0]?.name ?? '' };
    },
  };
}

/** Sends so many frames of silence, one each 60 ms, until it is stopped or `send` returns that the connection has ended. */
function sendSilence(options: {
  frames: number;
  version: BinaryVersion;
  clock: Clock;
  send: (frame: Buffer) => boolean;
}): () => void {
  const { frames, version, clock, send } = options;
  let sent = 0;
  let stop = (): void => {};
  const next = (): void => {
    if (sent >= frames || !send(frameAudio(silence, version, sent * frameMs))) return;
    sent += 1;
    stop = clock.after(frameMs, next);
  };
  next();
  return () => stop();
}

/** Tools that take so many ms longer, and with the faults `slow` and `crash-on-call` do as these say. */
function faultyTools(options: {
  tools: readonly McpTool[];
  faults: ReadonlySet<VirtualFault>;
  latencyMs: number;
  host: VirtualHost;
}): McpTool[] {
  const { tools, faults, host } = options;
  const pauseMs = options.latencyMs + (faults.has('slow') ? slowMs : 0);
  if (pauseMs === 0 && !faults.has('crash-on-call')) return [...tools];
  return tools.map(
    (tool) =>
      new McpTool({
        name: tool.name,
        description: tool.description,
        properties: tool.properties,
        userOnly: tool.userOnly,
        callback: async (args, context) => {
          if (pauseMs > 0) await delay(pauseMs, undefined, { signal: context.signal });
          if (!faults.has('crash-on-call')) return tool.callback(args, context);
          host.pullPlug();
          throw new Error('The device has crashed.');
        },
      }),
  );
}

/** A wire that tells of each data frame from the server; pings are none (docs/protocols/xiaozhi.md#messages). */
function heardWire(wire: DeviceWire, onData: () => void): DeviceWire {
  return {
    ...wire,
    createSocket: (url, options) => {
      const socket = wire.createSocket(url, options);
      socket.on('message', onData);
      return socket;
    },
  };
}

/** A wire that tells of the rate that the server's hello names for the voice it sends (docs/protocols/xiaozhi.md). */
function tunedWire(wire: DeviceWire, onRate: (sampleRate: unknown) => void): DeviceWire {
  return {
    ...wire,
    onMessage(message, socket) {
      const params = message['audio_params'];
      if (message.type === 'hello' && isJsonObject(params)) onRate(params['sample_rate']);
      wire.onMessage?.(message, socket);
    },
  };
}

/** A wire that says in its handshake and its hello how it frames its audio (docs/protocols/xiaozhi.md). */
function versionedWire(wire: DeviceWire, version: BinaryVersion): DeviceWire {
  if (version === 1) return wire;
  return {
    ...wire,
    headers: (target) => ({ ...wire.headers(target), 'Protocol-Version': String(version) }),
    hello: (name) => JSON.stringify({ ...(JSON.parse(wire.hello(name)) as object), version }),
  };
}

/** Sends something in place of a frame. */
type Spoiler = (frame: string, socket: DeviceSocket) => void;

/** A wire that spoils the answers to tools/call as the faults say; other answers go out whole. */
function faultyWire(wire: DeviceWire, faults: ReadonlySet<VirtualFault>): DeviceWire {
  const spoil = spoilerOf(faults);
  if (spoil === undefined) return wire;
  return {
    ...wire,
    deliver: (answer, socket) => {
      if (answer.method === 'tools/call') spoil(answer.frame, socket);
      else wire.deliver(answer, socket);
    },
  };
}

/** The worst of the faults wins. */
function spoilerOf(faults: ReadonlySet<VirtualFault>): Spoiler | undefined {
  if (faults.has('silent')) return () => {};
  if (faults.has('disconnect-half-way')) {
    return (frame, socket) => {
      socket.send(frame.slice(0, Math.ceil(frame.length / 2)), { fin: false });
      socket.terminate();
    };
  }
  if (!faults.has('garbage')) return undefined;
  let spoiled = 0;
  return (frame, socket) => {
    garbage[spoiled % garbage.length]?.(frame, socket);
    spoiled += 1;
  };
}

/** The audio that a virtual device has received since it was created. */
interface HeardVoice {
  packets: number;
  /** Of Opus. */
  bytes: number;
  /** Frames that were not audio of the device's version, or not Opus. */
  malformed: number;
}

/** Receives the server's audio: counts it, and decodes it if there is a listener. */
interface Ear {
  /** `sample_rate` of the server's hello; 24,000 until it names one that Opus knows. */
  tune: (sampleRate: unknown) => void;
  hear: (frame: Buffer) => void;
  heard: () => HeardVoice;
  /** Frees the codec; a later frame loads it again. */
  close: () => void;
}

function createEar(options: {
  version: BinaryVersion;
  onSpeech: ((pcm: Int16Array, sampleRate: number) => void) | undefined;
}): Ear {
  const { version, onSpeech } = options;
  const heard: HeardVoice = { packets: 0, bytes: 0, malformed: 0 };
  let rate: OpusSampleRate = 24_000;
  let decoder: Promise<OpusDecoder> | undefined;

  function close(): void {
    const old = decoder;
    decoder = undefined;
    void old?.then((loaded) => loaded.close());
  }

  async function decode(packet: Buffer, tell: (pcm: Int16Array, sampleRate: number) => void): Promise<void> {
    // Each packet waits for the same promise: they stay in order.
    decoder ??= OpusDecoder.create({ sampleRate: rate });
    const own = decoder;
    const loaded = await own;
    if (own !== decoder) return;
    try {
      tell(loaded.decode(packet), loaded.sampleRate);
    } catch (error) {
      if (!(error instanceof OpusPacketError)) throw error;
      heard.malformed += 1;
      tell(loaded.conceal(), loaded.sampleRate);
    }
  }

  return {
    tune(sampleRate) {
      if (typeof sampleRate !== 'number' || !isOpusSampleRate(sampleRate) || sampleRate === rate) return;
      close();
      rate = sampleRate;
    },
    hear(frame) {
      const read = readBinaryFrame(frame, version);
      if (read.kind !== 'audio') {
        heard.malformed += 1;
        return;
      }
      heard.packets += 1;
      heard.bytes += read.bytes;
      if (onSpeech !== undefined) void decode(payloadOf(frame, version), onSpeech);
    },
    heard: () => ({ ...heard }),
    close,
  };
}
