import type { WorkbenchTopic } from '../../contract/types.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Servers } from '../servers/service.ts';
import { createDeviceResources, type DevicePictures } from './deviceResources.ts';
import type { ExportedTools } from './exportedTools.ts';
import type { ToolScope } from './offered.ts';
import { createServerOffers } from './serverOffers.ts';

/** What a scope offers beside tools: the resources of its devices, or what its MCP server offers. */
export function offerBesides(
  options: Pick<FeatureContext, 'events' | 'clock'> & {
    devices: Pick<Devices, 'hub'>;
    frames: FrameLog;
    servers: Servers;
    pictures: DevicePictures;
    tools: ExportedTools;
    scope: ToolScope;
  },
) {
  const { events, clock, devices, frames, servers, pictures, tools, scope } = options;
  const on = (topic: WorkbenchTopic) => (listener: () => void) => {
    const hear = (changed: WorkbenchTopic): void => {
      if (changed === topic) listener();
    };
    events.on('changed', hear);
    return () => void events.off('changed', hear);
  };
  if (scope !== 'all' && scope.kind === 'mcp')
    return createServerOffers({ id: scope.id, servers, clock, onServers: on('servers') });
  const ofDevices = () => tools.list(scope).filter(({ source }) => source.kind === 'device');
  return createDeviceResources({
    hub: devices.hub,
    frames,
    pictures,
    sources: () => [...new Map(ofDevices().map(({ source }) => [source.id, source])).values()],
    onSources(listener) {
      const stops = [on('vision')(listener), tools.onChange(listener)];
      return () => stops.forEach((stop) => stop());
    },
  });
}
