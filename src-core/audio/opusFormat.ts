/** Rates that Opus knows. */
export type OpusSampleRate = 8_000 | 12_000 | 16_000 | 24_000 | 48_000;

/** ms of one packet, as devices send and take them (docs/protocols/xiaozhi.md#hello). */
export type OpusFrameMs = 20 | 40 | 60;

const rates: readonly number[] = [8_000, 12_000, 16_000, 24_000, 48_000];

/** Whether Opus can be encoded at a rate that somebody else named: the hello of a device. */
export function isOpusSampleRate(rate: number): rate is OpusSampleRate {
  return rates.includes(rate);
}
