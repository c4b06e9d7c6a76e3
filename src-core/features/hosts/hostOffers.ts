import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Servers } from '../servers/service.ts';
import { chooseTools, chosenOf } from './chosenTools.ts';
import type { DevicePictures } from './deviceResources.ts';
import type { ExportedTool, ExportedTools } from './exportedTools.ts';
import type { HostOffer, HostOffered } from './hostServer.ts';
import { createKeptBlocks, joinResources } from './keptBlocks.ts';
import { offerBesides } from './offerBesides.ts';
import type { ToolScope } from './offered.ts';
import { createRegistryOffer, type RegistryOfferOptions } from './registryOffer.ts';

/** Devices that the instructions name; a host has a bound on their length. */
const maxNamed = 50;

interface HostOffersOptions extends Pick<FeatureContext, 'events' | 'clock'> {
  devices: Pick<Devices, 'hub'>;
  frames: FrameLog;
  servers: Servers;
  pictures: DevicePictures;
  tools: ExportedTools;
  /** How their calls run. */
  callOptions: Pick<RegistryOfferOptions, 'clock' | 'counts' | 'execution' | 'confirm'>;
}

/** Returns what a scope offers one host. `offered` is what the user chose for it, which may change. */
export function createHostOffers(options: HostOffersOptions) {
  const { servers, tools, callOptions } = options;

  /** An address of a server that is not offered stays usable, as the user can offer the server meanwhile. */
  function notOffered(scope: ToolScope): string | undefined {
    if (scope === 'all' || scope.kind !== 'mcp') return undefined;
    const server = servers.kept(scope.id);
    if (server === undefined || server.consumers.includes('host')) return undefined;
    // No command: a host that can run it would offer the tools to itself.
    const remedy = 'Ask the user to tick Hosts in the tab Tools of the server.';
    return `The MCP server "${server.name}" is not offered to hosts, so nothing is listed here. ${remedy}`;
  }

  return (scope: ToolScope, offered: () => HostOffered): HostOffer => {
    const chosen = () => chosenOf(offered().scope);
    // A host can read only the pictures of its own calls.
    const { keep, resources } = createKeptBlocks();
    const own = chooseTools(tools, chosen);
    const besides = offerBesides({ ...options, tools: own, chosen, scope });
    return createRegistryOffer({
      ...callOptions,
      ...besides,
      resources: joinResources(besides.resources, resources),
      keep,
      tools: own,
      scope,
      finds: () => offered().finds,
      instructions: () => notOffered(scope) ?? instructionsFor(own.list(scope), offered().finds),
    });
  };
}

function instructionsFor(offered: readonly ExportedTool[], finds: boolean): string | undefined {
  const connected = offered.filter(({ source, departed }) => source.kind === 'device' && departed === undefined);
  const devices = [...new Map(connected.map((one) => [one.source.id, one])).values()];
  if (devices.length === 0) return undefined;
  const named = devices.slice(0, maxNamed);
  const lines = named.map(({ source, tool }) => `- ${source.label}: for example ${tool.name}`);
  if (devices.length > maxNamed) lines.push(`- and ${devices.length - maxNamed} more`);
  const search = finds ? ' Find it with find_tool, and call it with call_tool.' : '';
  return `These devices are connected. Each tool belongs to one of them.${search}\n${lines.join('\n')}`;
}
