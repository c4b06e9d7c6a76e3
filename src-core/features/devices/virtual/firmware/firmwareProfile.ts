import { WebSocket } from 'ws';

import type { VirtualProfile, VirtualHost } from '../profile.ts';
import { firmwareDialect } from './firmwareDialect.ts';
import type { CallScheduler } from '../../../../deviceSide/client/callScheduler.ts';
import type { DeviceWire } from '../../../../deviceSide/client/deviceWire.ts';
import { standardWire } from '../../../../deviceSide/client/standardWire.ts';
import { virtualUserAgent } from '../virtualUserAgent.ts';
import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { postForm, questionHeaders, type PictureForm } from '../postForm.ts';
import { drawTestCard } from '../testCard/drawTestCard.ts';

/** How boards post pictures (docs/protocols/xiaozhi.md#vision). */
const boardForm: PictureForm = Object.freeze({
  boundary: '----ESP32_CAMERA_BOUNDARY',
  chunked: true,
  timeoutMs: 30_000,
});

const percent = (name: string) =>
  new PropertyList([new Property(name, PropertyType.INTEGER, { minimum: 0, maximum: 100 })]);

const address = new PropertyList([new Property('url', PropertyType.STRING)]);

const colour = ['red', 'green', 'blue'].map(
  (name) => new Property(name, PropertyType.INTEGER, { minimum: 0, maximum: 255 }),
);

const hex = (value: unknown) => Number(value).toString(16).padStart(2, '0');

/** What the firmware's WebSocket can send; beyond it nothing goes out at all (docs/protocols/xiaozhi.md#messages). */
const maxFrameBytes = 65_535;

/**
 * Never answers a close frame: the device is idle from then on, and the TCP connection stays until the server cuts it
 * or the device connects again (docs/protocols/xiaozhi.md). `ws` answers by this method, which therefore only tells.
 */
class BoardSocket extends WebSocket {
  override close(code = 1005, data: string | Buffer = ''): void {
    this.emit('close', code, Buffer.from(data));
  }
}

/** The socket of a board: no port in Host, no close frame, nothing beyond 65,535 bytes. */
const firmwareWire: DeviceWire = {
  ...standardWire,
  createSocket: (url, options) => new BoardSocket(url, options),
  headers: ({ url }) => ({ Host: new URL(url).hostname, 'User-Agent': virtualUserAgent }),
  afterHello: (sessionId) => [JSON.stringify({ session_id: sessionId, type: 'listen', state: 'start', mode: 'auto' })],
  deliver({ frame }, socket) {
    if (Buffer.byteLength(frame) <= maxFrameBytes) socket.send(frame, {});
  },
  leave: (socket) => socket.terminate(),
  onMessage(message, socket) {
    // A hello without a transport is a null pointer to the firmware; a reboot is meant.
    const crashes = message.type === 'hello' && typeof message['transport'] !== 'string';
    const reboots = message.type === 'system' && message['command'] === 'reboot';
    if (crashes || reboots) socket.terminate();
  },
};

const identity = { board: 'esp32-s3-box', firmware: '2.4.2' };

/** A speaker with a screen, a camera and a light strip: an ESP32-S3 board with the xiaozhi firmware. */
export const firmwareProfile: VirtualProfile = {
  id: 'firmware',
  ...identity,
  dialect: firmwareDialect,
  wire: firmwareWire,
  createScheduler: createMainTask,
  silentFrames: 50,
  channelTimeoutMs: 120_000,
  createTools: (host) => {
    const state = createBoardState();
    return [...createCommonTools(state, host), ...createLightTools(state), ...createUserTools({ host, ...identity })];
  },
};

/**
 * The firmware's one main task (docs/protocols/device-mcp.md, timing): it takes all that is due as a batch, calls and
 * answers alike, and works it off in order. So an answer waits behind every call that arrived before it was ready.
 */
function createMainTask(): CallScheduler {
  let due: (() => unknown)[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (due.length > 0) {
      const batch = due;
      due = [];
      for (const task of batch) await task();
    }
    working = false;
  }

  function schedule(task: () => unknown): void {
    due.push(task);
    if (!working) void work();
  }

  return {
    runCall: (run) =>
      new Promise((resolve, reject) => {
        // The task goes on when a call has failed; its caller receives the error.
        schedule(() => run().then(resolve, reject));
      }),
    sendAnswer: schedule,
  };
}

/** The LED strip of the board. */
function createLightTools(state: BoardState): McpTool[] {
  return [
    new McpTool({
      name: 'self.led_strip.set_single_color',
      description: 'Lights one LED of the strip, counted from 0, in a colour.',
      properties: new PropertyList([
        new Property('index', PropertyType.INTEGER, { minimum: 0, maximum: state.leds.length - 1 }),
        ...colour,
      ]),
      callback: ({ index, red, green, blue }) => {
        state.leds[Number(index)] = `#${hex(red)}${hex(green)}${hex(blue)}`;
        return true;
      },
    }),
    new McpTool({
      name: 'self.led_strip.set_all_color',
      description: 'Lights the whole strip in one colour.',
      properties: new PropertyList(colour),
      callback: ({ red, green, blue }) => {
        state.leds.fill(`#${hex(red)}${hex(green)}${hex(blue)}`);
        return true;
      },
    }),
    new McpTool({
      name: 'self.led_strip.blink',
      description: 'Blinks the strip in one colour, with so many milliseconds between the changes.',
      properties: new PropertyList([
        ...colour,
        new Property('interval', PropertyType.INTEGER, { defaultValue: 500, minimum: 0, maximum: 1000 }),
      ]),
      callback: ({ interval }) => `blinking every ${String(interval)} ms`,
    }),
  ];
}

/** The tools for the user alone, last in every list (docs/protocols/device-mcp.md#tools-and-schemas). */
function createUserTools({ host, board, firmware }: { host: VirtualHost; board: string; firmware: string }): McpTool[] {
  const restart = () => {
    host.pullPlug();
    return true;
  };
  return [
    new McpTool({
      name: 'self.get_system_info',
      description: 'Reports the board, its chip and its firmware as JSON.',
      userOnly: true,
      callback: () =>
        JSON.stringify({ chip_model_name: 'esp32s3', application: { version: firmware }, board: { name: board } }),
    }),
    new McpTool({
      name: 'self.reboot',
      description: 'Restarts the device. The connection ends.',
      userOnly: true,
      callback: restart,
    }),
    new McpTool({
      name: 'self.upgrade_firmware',
      description: 'Loads another firmware and starts it. The connection ends.',
      // The firmware passes the description of the argument in place of its default.
      properties: new PropertyList([
        new Property('url', PropertyType.STRING, { defaultValue: 'Where the new firmware is loaded from' }),
      ]),
      userOnly: true,
      callback: restart,
    }),
    new McpTool({
      name: 'self.screen.get_info',
      description: 'Reports the size of the screen.',
      userOnly: true,
      callback: () => JSON.stringify({ width: 320, height: 240, monochrome: false }),
    }),
    new McpTool({
      name: 'self.screen.snapshot',
      description: 'Posts a picture of the screen to an address.',
      properties: new PropertyList([
        ...address,
        new Property('quality', PropertyType.INTEGER, { defaultValue: 80, minimum: 1, maximum: 100 }),
      ]),
      userOnly: true,
      callback: async ({ url }, { signal }) => {
        const picture = drawTestCard({ title: 'Virtual screen', at: host.now() });
        const posted = { url: String(url), form: boardForm, picture, fileName: 'screenshot.jpg', signal };
        const { status } = await postForm(posted);
        if (status !== 200) throw new Error(`Unexpected status code: ${status}`);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.preview_image',
      description: 'Shows the picture of an address on the screen.',
      properties: address,
      userOnly: true,
      callback: () => true,
    }),
    new McpTool({
      name: 'self.assets.set_download_url',
      description: 'Sets where fonts, sounds and pictures are loaded from.',
      properties: address,
      userOnly: true,
      callback: () => true,
    }),
  ];
}

/** The tools that every board has first, in the firmware's order (docs/protocols/device-mcp.md#tools-and-schemas). */
function createCommonTools(state: BoardState, host: VirtualHost): McpTool[] {
  return [
    new McpTool({
      name: 'self.get_device_status',
      description: 'Reports speaker volume, screen brightness and theme, battery, network and lights as JSON.',
      callback: () =>
        JSON.stringify({
          audio_speaker: { volume: state.volume },
          screen: { brightness: state.brightness, theme: state.theme },
          battery: state.battery,
          network: { type: 'wifi', ssid: 'virtual', signal: 'strong' },
          led_strip: state.leds,
        }),
    }),
    new McpTool({
      name: 'self.audio_speaker.set_volume',
      description: 'Sets how loud the speaker is, from 0 (silent) to 100.',
      properties: percent('volume'),
      callback: ({ volume }) => {
        state.volume = Number(volume);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.set_brightness',
      description: 'Sets how bright the screen is, from 0 (off) to 100.',
      properties: percent('brightness'),
      callback: ({ brightness }) => {
        state.brightness = Number(brightness);
        return true;
      },
    }),
    new McpTool({
      name: 'self.screen.set_theme',
      description: 'Switches the screen to the theme "light" or "dark". Any other name answers false.',
      properties: new PropertyList([new Property('theme', PropertyType.STRING)]),
      callback: ({ theme }) => {
        if (theme !== 'light' && theme !== 'dark') return false;
        state.theme = theme;
        return true;
      },
    }),
    createCameraTool(host),
  ];
}

/** `self.camera.take_photo`: posts a picture with the question; the answer's text is the tool's. */
function createCameraTool(host: VirtualHost): McpTool {
  return new McpTool({
    name: 'self.camera.take_photo',
    description: 'Takes a photo and has it explained. "question" says what to look for.',
    properties: new PropertyList([new Property('question', PropertyType.STRING)]),
    callback: async ({ question }, context) => {
      // Before initialize a board knows no place to post to (docs/protocols/device-mcp.md).
      if (context.vision === undefined) throw new Error('Image explain URL or token is not set');
      const { status, text } = await postForm({
        url: context.vision.url,
        form: boardForm,
        picture: drawTestCard({ title: 'Virtual camera', at: host.now() }),
        fileName: 'camera.jpg',
        question: String(question),
        headers: questionHeaders(context),
        signal: context.signal,
      });
      if (status !== 200) throw new Error(`Failed to upload photo, status code: ${status}`);
      return text;
    },
  });
}

/** What the board remembers: set by its tools, told by its status. Volume, brightness and battery are 0 to 100. */
interface BoardState {
  volume: number;
  brightness: number;
  theme: 'light' | 'dark';
  battery: { level: number; charging: boolean };
  /** Colours of the LED strip, `#rrggbb`. */
  leds: string[];
}

function createBoardState(): BoardState {
  return {
    volume: 70,
    brightness: 80,
    theme: 'light',
    battery: { level: 83, charging: false },
    leds: Array.from({ length: 8 }, () => '#000000'),
  };
}
