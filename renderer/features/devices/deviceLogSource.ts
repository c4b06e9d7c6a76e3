import type { Client } from '../../../src-core/rpc/client.ts';
import type { LogSource } from '../log/logSource.ts';

/** The log of a device's wire, or of an imported capture. */
export function deviceLogSource(client: Client, of: { id: string } | { captureId: string }): LogSource {
  return {
    topic: 'log',
    grows: 'id' in of,
    jsonRpc: true,
    page: (part) => client.devices.log({ ...of, ...part }),
    frame: (seq) => client.devices.frame({ ...of, seq }),
    search: (text, options) => client.devices.searchLog({ ...of, text }, options),
  };
}
