import type { VirtualProfile } from '../profile.ts';

/** What the board remembers: set by its tools, told by its status. */
export interface BoardState {
  volume: number;
  brightness: number;
  theme: 'light' | 'dark';
  battery: { level: number; charging: boolean };
  /** Colours of the LED strip, `#rrggbb`. */
  leds: string[];
}

const volume = { name: 'volume', type: 'integer', minimum: 0, maximum: 100 } as const;
const brightness = { name: 'brightness', type: 'integer', minimum: 0, maximum: 100 } as const;
const colour = (['red', 'green', 'blue'] as const).map(
  (name) => ({ name, type: 'integer', minimum: 0, maximum: 255 }) as const,
);

/** A 1 × 1 picture, so that image answers are real images. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const hex = (value: unknown) => Number(value).toString(16).padStart(2, '0');

/** A speaker with a screen, a camera and a light strip: the common tools of an ESP32-S3 board (spec/xiaozhi.md §2). */
export const esp32S3Box: VirtualProfile<BoardState> = {
  id: 'esp32-s3-box',
  board: 'esp32-s3-box',
  firmware: '2.4.2',
  createState: () => ({
    volume: 70,
    brightness: 80,
    theme: 'light',
    battery: { level: 83, charging: false },
    leds: Array.from({ length: 8 }, () => '#000000'),
  }),
  tools: [
    {
      name: 'self.get_device_status',
      description: 'Reports speaker volume, screen brightness and theme, battery, network and lights as JSON.',
      properties: [],
      run: ({ volume, brightness, theme, battery, leds }) =>
        JSON.stringify({
          audio_speaker: { volume },
          screen: { brightness, theme },
          battery,
          network: { type: 'wifi', ssid: 'virtual', signal: 'strong' },
          led_strip: leds,
        }),
    },
    {
      name: 'self.audio_speaker.set_volume',
      description: 'Sets how loud the speaker is, from 0 (silent) to 100.',
      properties: [volume],
      run: (state, args) => {
        state.volume = Number(args['volume']);
        return true;
      },
    },
    {
      name: 'self.screen.set_brightness',
      description: 'Sets how bright the screen is, from 0 (off) to 100.',
      properties: [brightness],
      run: (state, args) => {
        state.brightness = Number(args['brightness']);
        return true;
      },
    },
    {
      name: 'self.screen.set_theme',
      description: 'Switches the screen to the theme "light" or "dark". Any other name answers false.',
      properties: [{ name: 'theme', type: 'string' }],
      run: (state, { theme }) => {
        if (theme !== 'light' && theme !== 'dark') return false;
        state.theme = theme;
        return true;
      },
    },
    {
      name: 'self.camera.take_photo',
      description: 'Takes a photo and answers with the picture. "question" says what to look for.',
      properties: [{ name: 'question', type: 'string' }],
      run: () => ({ type: 'image', mimeType: 'image/png', data: pixel }),
    },
    {
      name: 'self.led_strip.set_single_color',
      description: 'Lights one LED of the strip, counted from 0, in a colour.',
      properties: [{ name: 'index', type: 'integer', minimum: 0, maximum: 7 }, ...colour],
      run: (state, { index, red, green, blue }) => {
        state.leds[Number(index)] = `#${hex(red)}${hex(green)}${hex(blue)}`;
        return true;
      },
    },
    {
      name: 'self.led_strip.set_all_color',
      description: 'Lights the whole strip in one colour.',
      properties: [...colour],
      run: (state, { red, green, blue }) => {
        state.leds.fill(`#${hex(red)}${hex(green)}${hex(blue)}`);
        return true;
      },
    },
    {
      name: 'self.led_strip.blink',
      description: 'Blinks the strip in one colour, with so many milliseconds between the changes.',
      properties: [...colour, { name: 'interval', type: 'integer', defaultValue: 500, minimum: 0, maximum: 1000 }],
      run: (_state, { interval }) => `blinking every ${String(interval)} ms`,
    },
    {
      name: 'self.screen.get_info',
      description: 'Reports the size of the screen.',
      properties: [],
      userOnly: true,
      run: () => JSON.stringify({ width: 320, height: 240, monochrome: false }),
    },
    {
      name: 'self.reboot',
      description: 'Restarts the device. The connection ends.',
      properties: [],
      userOnly: true,
      run: (_state, _args, device) => {
        device.pullPlug();
        return true;
      },
    },
  ],
};
