import { isIPv4 } from 'node:net';

import { joinOrOpen } from '../rpc/runningWorkbench.ts';
import { defaultPorts } from '../defaultPorts.ts';
import type { PortChoice, ServeOptions } from '../serveWorkbench.ts';
import { addressesOf, addressText, type ServedAddresses } from './addresses.ts';
import { clusterFlags, clusterOf, noteJoined, proxyFlags, proxyOf } from './cluster.ts';
import type { Command } from './command.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { noteAndLogError } from './noteError.ts';
import { openBrowser } from './openBrowser.ts';
import { rendererDir } from './rendererDir.ts';
import { requestLink, requestLinkFile, requestSignOut } from './requestLink.ts';
import type { Terminal } from './terminal.ts';
import { toolwireCommand } from './toolwireCommand.ts';
import { untilEnded } from './untilEnded.ts';
import { UsageError } from './usageError.ts';
import { isAdmittedState, type DeviceInfo } from '../contract/deviceInfo.ts';
import { isLoopback } from '../server/address.ts';
import type { Workbench } from '../workbench.ts';
import { firstLine } from './firstLine.ts';

/** `toolwire serve`: the workbench in a browser. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the workbench in a browser on this machine, until Ctrl+C.',
  details:
    'If a workbench already runs on the same data directory, prints a new link to it. Its addresses do not change.\n' +
    'The link works once, in one browser.',
  flags: {
    port: {
      type: 'string',
      value: 'PORT',
      help: `port of the window; by default ${defaultPorts.ui}, or a free port; 0 for any free port`,
    },
    'device-port': {
      type: 'string',
      value: 'PORT',
      help: `port for devices; by default ${defaultPorts.devices}, or a free port; 0 for any free port`,
    },
    'device-host': {
      type: 'string',
      value: 'ADDRESS',
      help: 'open the device port to a network: 0.0.0.0, or an IPv4 address of this machine; devices of other machines wait for approval',
    },
    ...clusterFlags,
    ...proxyFlags,
    ...dataDirFlag,
    'no-open': { type: 'boolean', help: 'do not open the browser' },
    'sign-out': { type: 'boolean', help: 'sign out all browsers; each needs the new link' },
    json: { type: 'boolean', help: 'print one line of JSON with all addresses once the servers listen' },
  },
  async run({ flags, terminal }) {
    const range = { min: 0, max: 65_535 };
    const json = flags.isSet('json');
    return serve({
      at: {
        dataDir: dataDirOf(flags),
        uiPort: chosen(flags.number('port', range), defaultPorts.ui),
        devicePort: chosen(flags.number('device-port', range), defaultPorts.devices),
        deviceHost: hostOf(flags.text('device-host')),
        cluster: clusterOf(flags),
        proxy: proxyOf(flags),
      },
      mayOpen: !flags.isSet('no-open'),
      signOut: flags.isSet('sign-out'),
      terminal,
      show: (addresses) => terminal.print(json ? `${JSON.stringify(addresses)}\n` : addressText(addresses)),
    });
  },
};

/** Serves until the terminal says to end; what `npm start` does without Electron, too. Gives the exit code. */
export async function serve(options: {
  at: Omit<ServeOptions, 'shell' | 'rendererDir' | 'onError'>;
  /** Whether the browser may be opened. */
  mayOpen: boolean;
  /** Whether browsers that were let in before are signed out. */
  signOut?: boolean;
  terminal: Terminal;
  /** Called once everything listens. */
  show(addresses: ServedAddresses): void;
}): Promise<number> {
  const { at, mayOpen, signOut = false, terminal } = options;
  const { dataDir, uiPort, devicePort, deviceHost } = at;
  const show = async (addresses: ServedAddresses, createLinkFile: () => string | Promise<string>): Promise<void> => {
    options.show(addresses);
    if (mayOpen) await openBrowser({ createLinkFile, terminal });
  };

  const onError = noteAndLogError(terminal, dataDir);
  const { running, opened: served } = await joinOrOpen({
    dataDir,
    async open() {
      const { serveWorkbench } = await import('../serveWorkbench.ts');
      return serveWorkbench({ ...at, shell: 'browser', rendererDir, onError, command: toolwireCommand() });
    },
    signal: terminal.ended,
    onWait: ({ message }) => terminal.note(`toolwire: ${message} Waiting for it.\n`),
  });
  if (running) {
    try {
      const info = await running.client.workbench.info();
      const { record } = running;
      refuseOtherAddresses({ uiPort, devicePort, deviceHost }, { ...info.device, origin: record.origin });
      if ((at.cluster ?? at.proxy) !== undefined)
        throw new Error(
          'A workbench runs on this data directory already. End it, then run this command again, or leave the flags of cluster and proxy out.',
        );
      if (signOut) await requestSignOut(record);
      terminal.note('A workbench already runs on this data directory; this is a new link to it.\n');
      const addresses = addressesOf(info, { pid: record.pid, ...(await requestLink(record)) });
      await show(addresses, () => requestLinkFile(record));
      return exitCodes.ok;
    } finally {
      running.close();
    }
  }

  try {
    if (signOut) served.signOut();
    const info = served.workbench.info();
    if (info.device.error !== undefined && (!devicePort.mayMove || deviceHost !== undefined))
      throw new Error(info.device.error);
    noteMove('the window', uiPort.port, Number(new URL(served.origin).port), terminal);
    noteMove('devices', devicePort.port, info.device.port, terminal);
    const addresses = addressesOf(info, { pid: process.pid, origin: served.origin, link: served.createLink() });
    await show(addresses, served.createLinkFile);
    noteApprovals(served.workbench, terminal).catch((error: unknown) => onError(error, 'the devices that wait'));
    noteJoined(served.workbench, terminal).catch((error: unknown) => onError(error, 'joining the cluster'));
    await untilEnded(terminal.ended);
    await served.workbench.drain(() =>
      terminal.note(
        'toolwire: Draining: running calls finish, and devices move to the other nodes, for at most 30 s. A second signal ends at once.\n',
      ),
    );
    return exitCodes.ok;
  } finally {
    await served.close();
  }
}

/** @throws UsageError if it is not an IPv4 address: boards cannot read another one in a URL. */
function hostOf(host: string | undefined): string | undefined {
  if (host === undefined || isIPv4(host)) return host;
  throw new UsageError(`--device-host must be 0.0.0.0 or an IPv4 address of this machine; it is "${host}".`);
}

/** A workbench that runs keeps its addresses. @throws Error if one was named that differs from it */
function refuseOtherAddresses(
  named: { uiPort: PortChoice; devicePort: PortChoice; deviceHost: string | undefined },
  used: { origin: string; host: string; port: number },
): void {
  const refuse = (sentence: string, flag: string): never => {
    throw new Error(
      `A workbench already runs on this data directory. ${sentence}. End it and run this command again, or omit ${flag}.`,
    );
  };
  const windowPort = Number(new URL(used.origin).port);
  if (isOther(named.uiPort, windowPort)) refuse(`Its window is at port ${windowPort}`, '--port');
  if (isOther(named.devicePort, used.port)) refuse(`It listens for devices on port ${used.port}`, '--device-port');
  if (named.deviceHost !== undefined && named.deviceHost !== used.host)
    refuse(`It listens for devices on ${used.host}`, '--device-host');
}

function isOther({ port, mayMove }: PortChoice, used: number): boolean {
  return !mayMove && port !== 0 && port !== used;
}

function chosen(named: number | undefined, usual: number): PortChoice {
  return named === undefined ? { port: usual, mayMove: true } : { port: named, mayMove: false };
}

function noteMove(what: string, wanted: number, port: number, terminal: Terminal): void {
  if (wanted !== 0 && wanted !== port)
    terminal.note(`Port ${wanted} is in use: ${what} can be reached at port ${port} instead.\n`);
}

/** Says in the terminal which devices wait for approval, until the terminal ends. One that connects again is named once. */
async function noteApprovals(workbench: Pick<Workbench, 'services' | 'info'>, terminal: Terminal): Promise<void> {
  const { services } = workbench;
  const { command = 'toolwire', dataDir } = workbench.info();
  let known = new Set<string>();
  const keyOf = ({ id, clientId }: DeviceInfo): string => `${id} ${clientId}`;
  for await (const event of services.workbench.follow(terminal.ended)) {
    if (!event.topics.includes('devices') || isLoopback(workbench.info().device.host)) continue;
    const outside = services.devices.list({ own: true }).filter(({ state }) => !isAdmittedState(state));
    const asked = outside.filter(({ state, wasRejected }) => state === 'approval' && !wasRejected);
    for (const { id, name, remoteAddress, clientId } of asked.filter((device) => !known.has(keyOf(device)))) {
      const who = `${firstLine(name)} (${firstLine(id)}, ${remoteAddress}, Client-Id ${firstLine(clientId ?? 'none')})`;
      const approve = `${command} approve ${firstLine(id)} --data-dir "${dataDir}"`;
      terminal.note(`toolwire: ${who} waits for approval. Approve it with: ${approve}\n`);
    }
    known = new Set([...asked.map(keyOf), ...outside.map(keyOf).filter((key) => known.has(key))]);
  }
}
