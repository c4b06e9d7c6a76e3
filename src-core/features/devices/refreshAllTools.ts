import type { DeviceHub } from './deviceHub.ts';
import type { ErrorReporter } from '../../base/reportError.ts';

/** Lists the tools of every ready device again, beside one another; a device that fails keeps the list it has. */
export function refreshAllTools(hub: Pick<DeviceHub, 'devices' | 'refreshTools'>, onError: ErrorReporter): void {
  for (const { id, name, registryId } of hub.devices()) {
    if (registryId === undefined) continue;
    hub.refreshTools(id).catch((error: unknown) => onError(error, `listing the tools of ${name} again`));
  }
}
