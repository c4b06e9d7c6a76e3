import { isLoopback } from '../server/address.ts';
import type { WorkbenchInfo } from '../contract/types.ts';

/** Every address of a workbench that is served: `toolwire serve --json`, one line. */
export interface ServedAddresses {
  version: string;
  pid: number;
  /** Origin of the window, without a secret. */
  url: string;
  /** Opens the window in one browser, once. */
  link: string;
  dataDir: string;
  modulesDir: string;
  device: WorkbenchInfo['device'];
  /** For MCP hosts on this machine, each with a token of its own. */
  mcp: string;
}

export function addressesOf(
  { version, dataDir, modulesDir, device }: WorkbenchInfo,
  { pid, origin, link }: { pid: number; origin: string; link: string },
): ServedAddresses {
  const mcp = `http://127.0.0.1:${device.port}/mcp`;
  return { version, pid, url: origin, link, dataDir, modulesDir, device, mcp };
}

/** The same for the user. */
export function addressText({ version, link, dataDir, modulesDir, device, mcp }: ServedAddresses): string {
  return [
    `Toolwire ${version}`,
    `  Window   ${link}   (opens once)`,
    `  Devices  ${device.listening ? device.otaUrl : `not reachable: ${device.error ?? 'not listening'}`}`,
    ...(device.otaUrls.includes(device.otaUrl) || !device.listening
      ? []
      : [`           at this machine: ${device.otaUrls[0]}`]),
    ...(isLoopback(device.host) ? [] : ['           open to the network: toolwire devices, toolwire approve DEVICE']),
    ...(device.listening ? [`  MCP      ${mcp}`] : []),
    `  Modules  ${modulesDir}`,
    `  Data     ${dataDir}`,
    '',
  ].join('\n');
}
