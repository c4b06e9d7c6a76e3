/** The default ports on 127.0.0.1. If such a port is taken, a free one is used and reported. */
export const defaultPorts = Object.freeze({
  /** `toolwire serve`: the window in a browser. */
  ui: 4310,
  /** The listener for devices: OTA and WebSocket. */
  devices: 4311,
});
