import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../tools/json.ts';
import { isJsonObject, readDeviceMessage } from '../deviceMessage.ts';
import { virtualUserAgent } from '../virtualUserAgent.ts';
import { askOta } from './askOta.ts';
import { answerAsFirmware } from './firmwareMcp.ts';
import type { VirtualProfile } from './profile.ts';

export type VirtualDeviceState = 'idle' | 'connecting' | 'connected' | 'closed';

export interface VirtualDeviceOptions<State> {
  /** `http://…` is an OTA address to ask first, `ws://…` the WebSocket itself. */
  url: string;
  profile: VirtualProfile<State>;
  /** A MAC address; a made-up, locally administered one unless told. */
  deviceId?: string;
  /** What people see it called; the board's name unless told. */
  name?: string;
  /** Closes the device when it aborts. */
  signal?: AbortSignal;
  /** ms that each tools/call takes; 0 unless told. */
  latencyMs?: number;
  /** Hears of each change of state; `reason` says why it closed. */
  onState?: (state: VirtualDeviceState, reason?: string) => void;
}

/** A device without hardware: a real WebSocket client that behaves as the firmware (issue 2, item 3). */
export interface VirtualDevice {
  readonly deviceId: string;
  state: () => VirtualDeviceState;
  /** Asks OTA where needed, connects and says hello. Resolves when the server's hello came, within 10 s. */
  connect: () => Promise<void>;
  /** Ends with a close frame. */
  close: () => Promise<void>;
  /** Cuts the TCP connection without a word, as a lost power supply does. */
  pullPlug: () => void;
}

/** What the firmware's WebSocket can send; beyond it nothing goes out at all (spec/xiaozhi.md §1.3). */
const maxFrameBytes = 65_535;
const helloTimeoutMs = 10_000;

/** A locally administered MAC address of random digits. */
function randomMac(): string {
  return `02:${randomUUID().replaceAll('-', '').slice(0, 10).match(/../g)?.join(':') ?? ''}`;
}

export function createVirtualDevice<State>(options: VirtualDeviceOptions<State>): VirtualDevice {
  const { profile, deviceId = randomMac(), latencyMs = 0 } = options;
  const clientId = randomUUID();
  const world = profile.createState();
  const stopped = new AbortController();
  const signal = options.signal === undefined ? stopped.signal : AbortSignal.any([options.signal, stopped.signal]);
  let state: VirtualDeviceState = 'idle';
  let socket: WebSocket | undefined;

  function become(next: VirtualDeviceState, reason?: string): void {
    if (state === next) return;
    state = next;
    options.onState?.(next, reason);
  }

  function open(url: string, token: string | undefined): WebSocket {
    const opened = new WebSocket(url, {
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
      headers: {
        Host: new URL(url).hostname,
        'Device-Id': deviceId,
        'Client-Id': clientId,
        'Protocol-Version': '1',
        'User-Agent': virtualUserAgent,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
    });
    opened.on('close', (code, reason) =>
      become('closed', `code ${code}${reason.length > 0 ? `, ${reason.toString()}` : ''}`),
    );
    return opened;
  }

  async function connect(): Promise<void> {
    if (state === 'connecting' || state === 'connected') throw new Error(`The virtual device is ${state} already.`);
    signal.throwIfAborted();
    become('connecting');
    try {
      const asks = { deviceId, clientId, board: profile.board, firmware: profile.firmware, signal };
      const target: { url: string; token?: string } = options.url.startsWith('http')
        ? await askOta({ url: options.url, ...asks })
        : { url: options.url };
      const opened = open(target.url, target.token);
      socket = opened;
      await once(opened, 'open', { signal });
      opened.on('error', () => {}); // `close` follows and tells.
      await greet(opened);
      become('connected');
    } catch (error) {
      socket?.on('error', () => {}).terminate();
      become('closed', error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  function greet(opened: WebSocket): Promise<void> {
    const answer = mainTask(opened);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The server answered no hello within 10 s.')), helloTimeoutMs);
      opened.once('close', (code) => {
        clearTimeout(timer);
        reject(new Error(`The server closed the connection with code ${code} before its hello.`));
      });
      opened.on('message', (data, isBinary) => {
        const message = isBinary ? undefined : readDeviceMessage((data as Buffer).toString('utf8'));
        if (message?.ok !== true) return;
        if (message.type === 'mcp') answer(message.body);
        if (message.type !== 'hello' || message.body['transport'] !== 'websocket') return;
        clearTimeout(timer);
        opened.send('{"session_id":"","type":"listen","state":"start","mode":"auto"}');
        resolve();
      });
      opened.send(JSON.stringify(hello()));
    });
  }

  function hello(): JsonObject {
    return {
      type: 'hello',
      version: 1,
      features: { mcp: true },
      transport: 'websocket',
      audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 },
      ...(options.name === undefined ? {} : { device_name: options.name }),
    };
  }

  /** The one main task of a connection: requests are answered one after the other, in the order they came. */
  function mainTask(opened: WebSocket): (message: JsonObject) => void {
    const ended = new AbortController();
    opened.once('close', () => ended.abort());
    let last = Promise.resolve();
    const host = { pullPlug: () => opened.terminate() };
    return ({ session_id: sessionId, payload }) => {
      last = last.then(async () => {
        const isCall = isJsonObject(payload) && payload['method'] === 'tools/call';
        if (isCall && latencyMs > 0) await delay(latencyMs, undefined, { signal: ended.signal }).catch(() => {});
        if (opened.readyState !== WebSocket.OPEN) return;
        const answer = answerAsFirmware(payload, { profile, state: world, host });
        if (answer === undefined) return;
        const text = `{"session_id":${JSON.stringify(sessionId ?? '')},"type":"mcp","payload":${answer}}`;
        if (Buffer.byteLength(text) <= maxFrameBytes && opened.readyState === WebSocket.OPEN) opened.send(text);
      });
    };
  }

  async function close(): Promise<void> {
    stopped.abort();
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return become('closed', 'closed here');
    const ended = once(socket, 'close');
    socket.close(1000);
    const timer = setTimeout(() => socket?.terminate(), 1_000);
    await ended;
    clearTimeout(timer);
  }

  options.signal?.addEventListener('abort', () => void close(), { once: true });
  return { deviceId, state: () => state, connect, close, pullPlug: () => socket?.terminate() };
}
