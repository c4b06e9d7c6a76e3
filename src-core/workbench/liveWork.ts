/** What would be interrupted if Toolwire closed now, as counts. */
export interface LiveWork {
  /** Approved devices that are connected. Toolwire's own virtual devices do not count. */
  devices: number;
  /** Repeated calls, runs of a collection and replays of a capture. */
  series: number;
  /** Running calls from all origins, including those of a series. */
  calls: number;
}
