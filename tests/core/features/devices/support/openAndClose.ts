/** Opens a hub with a device on it, closes all of it, and must then end by itself: whatever stays open keeps it alive. */
import { createDeviceHub } from '../../../../../src-core/features/devices/deviceHub.ts';
import { createVirtualDeviceOf } from '../../../../../src-core/features/devices/virtual/profiles.ts';
import { createListener } from '../../../../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';

const listener = createListener({
  port: 0,
  onError: (error) => {
    throw error;
  },
});
const toolRegistryManager = createToolRegistryManager();
const hub = createDeviceHub({ listener, toolRegistryManager });
const { port } = await listener.listen();
const ready = new Promise<void>((resolve) => void toolRegistryManager.onChange(() => resolve()));
const device = createVirtualDeviceOf('firmware', {
  url: `http://127.0.0.1:${port}/xiaozhi/ota/`,
  latencyMs: 600_000,
});
await device.connect();
await ready;
const [registry] = toolRegistryManager.getAllTools();
const call = registry?.invoke(
  'self.get_device_status',
  {},
  { signal: new AbortController().signal, timeoutMs: 600_000, callId: 'c' },
);
const [outcome] = await Promise.all([call?.catch((error: unknown) => error), hub.close()]);
await listener.close();
await device.close();
console.log(String(outcome));
