import { once } from 'node:events';

import { connectToRunning } from '../rpc/runningWorkbench.ts';
import { defaultPorts } from '../defaultPorts.ts';
import type { DeviceClientState } from '../deviceSide/client/deviceClient.ts';
import { binaryVersionOf } from '../features/devices/audio/readBinaryFrame.ts';
import { isVirtualFault, virtualFaults, type VirtualFault } from '../features/devices/virtual/faults.ts';
import { virtualProfileIds, virtualProfileOf } from '../features/devices/virtual/profiles.ts';
import { createVirtualDevice } from '../features/devices/virtual/virtualDevice.ts';
import { clientIdOf, connectMany, loadFlags, loadOf } from './clusterLoad.ts';
import type { Command } from './command.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { UsageError } from './usageError.ts';
import { captureProfile } from '../features/captures/captureProfile.ts';
import type { VirtualProfile } from '../features/devices/virtual/profile.ts';
import { readCaptureFile } from './mcpCapture.ts';

/** Of a name in a hello, Toolwire reads no more. */
const maxName = 64;

/** `toolwire device`: a virtual device on a real socket, for who has no hardware. */
export const deviceCommand: Command = {
  name: 'device',
  summary: 'Connect a virtual device, or many, until Ctrl+C.',
  flags: {
    profile: { type: 'string', value: 'NAME', help: `device to imitate: ${virtualProfileIds.join(', ')}` },
    capture: {
      type: 'string',
      value: 'FILE',
      help: 'imitate the device that was recorded in this capture, with its tools and answers',
    },
    timing: { type: 'boolean', help: 'with --capture: each call takes as long as the recorded call' },
    name: { type: 'string', value: 'NAME', help: `name that is shown for the device, at most ${maxName} characters` },
    mac: {
      type: 'string',
      value: 'MAC',
      help: 'MAC address of the device, so that it is the same one at each start; by default a random one',
    },
    fault: { type: 'string', value: 'F,F…', help: `faults of the device: ${virtualFaults.join(', ')}` },
    latency: { type: 'string', value: 'MS', help: 'additional milliseconds for each call' },
    protocol: { type: 'string', value: 'N', help: 'version of the audio protocol: 1, 2 or 3' },
    reconnect: { type: 'boolean', help: 'reconnect when the connection is lost; real devices do not' },
    url: {
      type: 'string',
      value: 'URL',
      help: 'OTA address (http) or WebSocket (ws) to connect to; by default, that of the running workbench',
    },
    ...loadFlags,
    ...dataDirFlag,
  },
  async run({ flags, terminal }) {
    const profile = flags.text('profile');
    const load = loadOf(flags);
    const named = virtualProfileOf(profile ?? virtualProfileIds[0] ?? '');
    if (named === undefined)
      throw new UsageError(`There is no profile "${profile}". Choose one of: ${virtualProfileIds.join(', ')}.`);
    const latencyMs = flags.number('latency', { min: 0, max: 600_000 });
    const protocol = flags.number('protocol', { min: 1, max: 3 });
    const url = flags.text('url') ?? (await runningOtaUrl(dataDirOf(flags)));
    if (!URL.canParse(url) || !['http:', 'https:', 'ws:', 'wss:'].includes(new URL(url).protocol))
      throw new UsageError(`--url must be an http or ws address; it is "${url}".`);

    const capture = flags.text('capture');
    if (capture !== undefined && profile !== undefined)
      throw new UsageError('--profile and --capture both say which device it is. Give one of them.');
    const recorded =
      capture === undefined ? undefined : await captureFileProfile(capture, { timing: flags.isSet('timing') });
    const given = flags.text('name');
    if (given !== undefined && given.length > maxName)
      throw new UsageError(`--name must have at most ${maxName} characters; it has ${given.length}.`);
    const name = given ?? recorded?.name;
    const identity = identityOf(flags.text('mac'));
    if (load !== undefined && identity !== undefined)
      throw new UsageError('--mac is for one device: leave out --count.');
    const options = {
      url,
      profile: recorded?.profile ?? named,
      faults: faultsOf(flags.text('fault')),
      reconnect: flags.isSet('reconnect'),
      ...identity,
      ...(name !== undefined && { name }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...(protocol !== undefined && { protocolVersion: binaryVersionOf(protocol) }),
    };
    if (load !== undefined) return connectMany(load, options, terminal);
    const gone = new AbortController();
    let reason: string | undefined;
    let wasLost = false;
    let noted = '';
    const device = createVirtualDevice({
      ...options,
      signal: terminal.ended,
      onState(state: DeviceClientState, why?: string) {
        const next = state === 'waiting' ? `${clause(why ?? '')}; it will try again.` : 'It is connected again.';
        // Not at each attempt that ends alike.
        if ((state === 'waiting' && next !== noted) || (state === 'connected' && wasLost))
          terminal.note(`toolwire: ${(noted = next)}\n`);
        wasLost = state === 'waiting' || (wasLost && state === 'connecting');
        if (state !== 'closed') return;
        reason = why;
        gone.abort();
      },
    });
    try {
      await device.connect();
    } catch (error) {
      if (terminal.ended.aborted) return exitCodes.ok;
      throw error;
    }
    terminal.print(`${device.deviceId} is connected to ${url}. Ctrl+C disconnects it.\n`);
    if (!gone.signal.aborted) await once(gone.signal, 'abort');
    await device.close();
    if (terminal.ended.aborted) return exitCodes.ok;
    terminal.note(`toolwire: The device was disconnected${reason === undefined ? '' : `: ${clause(reason)}`}.\n`);
    return exitCodes.failed;
  },
};

/** The ids of the device with this MAC address. */
function identityOf(mac: string | undefined): { deviceId: string; clientId: string } | undefined {
  if (mac === undefined) return undefined;
  if (!/^[\da-f]{2}(?::[\da-f]{2}){5}$/i.test(mac))
    throw new UsageError(`--mac must be a MAC address such as 02:00:00:00:00:01; it is "${mac}".`);
  const deviceId = mac.toLowerCase();
  return { deviceId, clientId: clientIdOf(deviceId) };
}

/** The reason without its full stop, so that the sentence can go on. */
function clause(reason: string): string {
  return firstLine(reason).replace(/\.$/, '');
}

function faultsOf(text: string | undefined): VirtualFault[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    if (isVirtualFault(name)) return name;
    throw new UsageError(`There is no fault "${name}". Choose of: ${virtualFaults.join(', ')}.`);
  });
}

async function runningOtaUrl(dataDir: string): Promise<string> {
  const running = await connectToRunning(dataDir);
  if (!running) return `http://127.0.0.1:${defaultPorts.devices}/xiaozhi/ota/`;
  try {
    // Its loopback address, wherever else it listens: a device of this machine needs no approval.
    const { port } = (await running.client.workbench.info()).device;
    return `http://127.0.0.1:${port}/xiaozhi/ota/`;
  } finally {
    running.close();
  }
}

/**
 * A recorded device as a kind of virtual one, out of its file.
 * @throws Error naming the file, or the line and what is wrong with it.
 */
async function captureFileProfile(
  file: string,
  options: { timing: boolean },
): Promise<{ name: string; profile: VirtualProfile }> {
  const { device, frames } = await readCaptureFile(file, 'device');
  return { name: device.name, profile: captureProfile({ device, frames }, options) };
}
