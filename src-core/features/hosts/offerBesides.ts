import type { WorkbenchTopic } from '../../contract/types.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Servers } from '../servers/service.ts';
import type { ChosenTools } from '../../contract/hosts.ts';
import { sourceOf } from './chosenTools.ts';
import { createDeviceResources, type DevicePictures } from './deviceResources.ts';
import type { ExportedTools } from './exportedTools.ts';
import type { ToolScope } from './offered.ts';
import { createServerOffers } from './serverOffers.ts';

/**
 * What a scope offers in addition to tools: the resources of the devices of which all tools are chosen, or what its MCP server
 * offers.
 */
export function offerBesides(
  options: Pick<FeatureContext, 'events' | 'clock'> & {
    devices: Pick<Devices, 'hub'>;
    frames: FrameLog;
    servers: Servers;
    pictures: DevicePictures;
    tools: ExportedTools;
    chosen: () => ChosenTools;
    scope: ToolScope;
  },
) {
  const { events, clock, devices, frames, servers, pictures, tools, chosen, scope } = options;
  const on = (topic: WorkbenchTopic) => (listener: () => void) => {
    const onChanged = (changed: WorkbenchTopic): void => {
      if (changed === topic) listener();
    };
    events.on('changed', onChanged);
    return () => void events.off('changed', onChanged);
  };
  if (scope !== 'all' && scope.kind === 'mcp')
    return createServerOffers({ id: scope.id, servers, clock, onServers: on('servers') });
  /** The log and the pictures of a device reveal more than one of its tools does. */
  function sources(): ToolSource[] {
    const { all, sources: whole } = chosen();
    const devicesOf = tools.list(scope).filter(({ source }) => source.kind === 'device');
    const shown = devicesOf.filter((tool) => all || whole.includes(sourceOf(tool)));
    return [...new Map(shown.map(({ source }) => [source.id, source])).values()];
  }
  return createDeviceResources({
    hub: devices.hub,
    frames,
    pictures,
    clock,
    sources,
    onSources(listener) {
      const stops = [on('vision')(listener), tools.onChange(listener)];
      return () => stops.forEach((stop) => stop());
    },
  });
}
