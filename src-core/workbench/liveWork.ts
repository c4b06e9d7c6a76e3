/** What would be interrupted if Toolwire closed now, as counts. */
export interface LiveWork {
  /** Devices that are connected and let in. Virtual devices of Toolwire itself do not count. */
  devices: number;
  /** Repeated calls, runs of a collection and replays of a capture. */
  series: number;
  /** Calls that run, whoever made them, including those of a series. */
  calls: number;
}
