/** The latest time that a `Date` can have, in epoch ms. */
export const latestTime = 8_640_000_000_000_000;
