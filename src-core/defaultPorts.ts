/** Ports on 127.0.0.1 where nobody named one. Where such a port is taken, a free one is used and said. */
export const defaultPorts = Object.freeze({
  /** `toolwire serve`: the window in a browser. */
  ui: 4310,
  /** The listener for devices: OTA and WebSocket. */
  devices: 4311,
});
