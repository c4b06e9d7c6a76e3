import type { DeviceWire } from '../../../deviceSide/client/deviceWire.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';

/** A wire that tells of each data frame from the server; pings are none (docs/protocols/xiaozhi.md#messages). */
export function heardWire(wire: DeviceWire, onData: () => void): DeviceWire {
  return {
    ...wire,
    createSocket: (url, options) => {
      const socket = wire.createSocket(url, options);
      socket.on('message', onData);
      return socket;
    },
  };
}

/** A wire that tells of the rate that the server's hello names for the voice it sends (docs/protocols/xiaozhi.md). */
export function tunedWire(wire: DeviceWire, onRate: (sampleRate: unknown) => void): DeviceWire {
  return {
    ...wire,
    onMessage(message, socket) {
      const params = message['audio_params'];
      if (message.type === 'hello' && isJsonObject(params)) onRate(params['sample_rate']);
      wire.onMessage?.(message, socket);
    },
  };
}

/** A wire that says in its handshake and its hello how it frames its audio (docs/protocols/xiaozhi.md). */
export function versionedWire(wire: DeviceWire, version: BinaryVersion): DeviceWire {
  if (version === 1) return wire;
  return {
    ...wire,
    headers: (target) => ({ ...wire.headers(target), 'Protocol-Version': String(version) }),
    hello: (name) => JSON.stringify({ ...(JSON.parse(wire.hello(name)) as object), version }),
  };
}
