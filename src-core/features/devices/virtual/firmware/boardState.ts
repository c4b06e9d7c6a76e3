/** What the board remembers: set by its tools, told by its status. Volume, brightness and battery are 0 to 100. */
export interface BoardState {
  volume: number;
  brightness: number;
  theme: 'light' | 'dark';
  battery: { level: number; charging: boolean };
  /** Colours of the LED strip, `#rrggbb`. */
  leds: string[];
}

export function createBoardState(): BoardState {
  return {
    volume: 70,
    brightness: 80,
    theme: 'light',
    battery: { level: 83, charging: false },
    leds: Array.from({ length: 8 }, () => '#000000'),
  };
}
