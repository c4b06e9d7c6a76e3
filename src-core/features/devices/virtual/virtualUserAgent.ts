/** The User-Agent by which our own devices are told from real ones; boards send none on the WebSocket. */
export const virtualUserAgent = 'toolwire-virtual-device';
