import type { Client } from '../rpc/client.ts';
import type { DeviceInfo } from '../contract/types.ts';
import {
  answerCutWords,
  callWords,
  healthPhrase,
  healthWords,
  stopWords,
} from '../features/devices/health/healthWords.ts';
import { approveAll, isWaiting, sharedNote } from './approveAll.ts';
import type { Command } from './command.ts';
import { connect, withWorkbench } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { findDevice } from './findDevice.ts';
import { firstLine, messageLine } from './firstLine.ts';
import { noteError } from './noteError.ts';
import { textTable, toolsText } from './textTable.ts';
import { UsageError } from './usageError.ts';

/** `toolwire devices`: the connected devices, and those that wait for approval. */
export const devicesCommand: Command = {
  name: 'devices',
  summary: 'List the devices, those that wait for approval first.',
  details: 'Asks the workbench that runs on the same data directory. Without one, lists the devices of earlier runs.',
  flags: { json: { type: 'boolean', help: 'print all fields as JSON' }, ...dataDirFlag },
  async run({ flags, terminal }) {
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const devices = await client.devices.list();
      const sorted = devices.toSorted((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)));
      terminal.print(flags.isSet('json') ? `${JSON.stringify(sorted, null, 2)}\n` : listText(sorted));
      if (devices.length === 0) terminal.note('No device has connected yet.\n');
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};

const approveOne = deviceAction({
  name: 'approve',
  summary: 'Approve a device on the network, now and for later connections.',
  details:
    'Models and clients can then call its tools. A device that no longer waits must connect again: press its button.\n' +
    'The approval applies to the Client-Id that "toolwire devices" lists. A device with another Client-Id needs another approval.',
  act: (client, { id, clientId = '' }) => client.devices.approve({ id, clientId }),
  done: (name, decided) => `${name} is approved.${sharedNote(decided)}`,
});

/** `toolwire approve`: approves a device on the network, or all that wait. */
export const approveCommand: Command = {
  ...approveOne,
  argument: { label: '[DEVICE...]', required: false, repeats: true },
  details:
    `${approveOne.details}\n` +
    'With --all-waiting, approves all devices that wait for approval, at all nodes, until none waits: check the list of\n' +
    '"toolwire devices" first. Devices that were rejected are left out.',
  flags: { 'all-waiting': { type: 'boolean', help: 'all devices that wait for approval' }, ...dataDirFlag },
  run: async (given) => {
    const { argument, flags, terminal } = given;
    if ((argument !== undefined) === flags.isSet('all-waiting'))
      throw new UsageError('Name a DEVICE, or use --all-waiting.');
    if (argument !== undefined) return approveOne.run(given);
    return withWorkbench({ flags, terminal }, ({ client }) => approveAll(client.devices, terminal));
  },
};

/** `toolwire reject`: rejects a device, or revokes its approval. */
export const rejectCommand = deviceAction({
  name: 'reject',
  summary: 'Reject a device on the network, or revoke its approval.',
  details:
    'Ends its connection. If it connects again, it waits for approval, and "approve --all-waiting" leaves it out.',
  act: (client, { id }) => client.devices.refuse({ id }),
  done: (name, decided) => `${name} is rejected. It asks again when it reconnects.${sharedNote(decided)}`,
});

/** `toolwire disconnect`: ends a connection. */
export const disconnectCommand = deviceAction({
  name: 'disconnect',
  summary: 'Disconnect a device. Its approval stays.',
  act: (client, { id }) => client.devices.disconnect({ id }),
  done: (name) => `${name} is disconnected.`,
});

const forgetOne = deviceAction({
  name: 'forget',
  summary: 'Remove a device that is not connected, with its log and its approval.',
  details:
    'With --disconnected, removes all devices of this node that are not connected.\n' +
    'You can restore them in the window: Settings, Trash keeps the last 10,240 devices for 7 days.',
  own: true,
  act: (client, { id }) => client.devices.forget({ id }),
  done: (name) => `${name} is removed.`,
});

/** `toolwire forget`: removes a device from the list, or all that are not connected. */
export const forgetCommand: Command = {
  ...forgetOne,
  argument: { label: '[DEVICE...]', required: false, repeats: true },
  flags: { disconnected: { type: 'boolean', help: 'all devices that are not connected' }, ...dataDirFlag },
  run: async (given) => {
    const { argument, flags, terminal } = given;
    if ((argument !== undefined) === flags.isSet('disconnected'))
      throw new UsageError('Name a DEVICE, or use --disconnected.');
    if (argument !== undefined) return forgetOne.run(given);
    return withWorkbench({ flags, terminal }, async ({ client }) => {
      const { forgotten, failed } = await client.devices.forgetDisconnected();
      for (const { name, reason } of failed)
        terminal.note(`${firstLine(name)} is not removed: ${messageLine(reason)}\n`);
      const count = forgotten.length;
      terminal.note(count === 1 ? '1 device is removed.\n' : `${count} devices are removed.\n`);
      return failed.length === 0 ? exitCodes.ok : exitCodes.failed;
    });
  },
};

/** A command that does one thing with each device that is named. */
function deviceAction<Done>(options: {
  name: string;
  summary: string;
  details?: string;
  /** As for `findDevice`. */
  own?: boolean;
  act: (client: Client, device: DeviceInfo) => Promise<Done>;
  done: (name: string, outcome: Done) => string;
}): Command {
  const { name, summary, details, own = false, act, done } = options;
  return {
    name,
    argument: { label: 'DEVICE...', required: true, repeats: true },
    summary,
    details: [
      'DEVICE is its id or its name. With several, each has a line of its own; exit code 1 if one of them fails.',
      ...(details === undefined ? [] : [details]),
    ].join('\n'),
    flags: { ...dataDirFlag },
    run: ({ positionals, flags, terminal }) =>
      withWorkbench({ flags, terminal }, async ({ client }) => {
        const wanted = new Set(positionals);
        let code: number = exitCodes.ok;
        for (const each of wanted) {
          try {
            const device = await findDevice(client, each, { own });
            const outcome = await act(client, device);
            const name = firstLine(device.name);
            terminal.note(`${done(wanted.size === 1 ? name : `${name} (${firstLine(device.id)})`, outcome)}\n`);
          } catch (error) {
            noteError(terminal)(error);
            code = exitCodes.failed;
          }
          terminal.ended.throwIfAborted();
        }
        return code;
      }),
  };
}

/** The state in the words of the window. */
export function deviceStateText(device: DeviceInfo): string {
  if (device.node?.isLost === true) return 'Node not reachable';
  const phrase = healthPhrase(device);
  if (phrase.of === 'answerCut') return answerCutWords;
  if (phrase.of === 'ofCall') return callWords[phrase.key].replace('{call}', phrase.call);
  return phrase.of === 'stopped' ? stopWords[phrase.key] : healthWords[phrase.key];
}

/** Columns: id, state, tools, address, Client-Id if it is of the network, name. Names and ids come from the device. */
function listText(devices: readonly DeviceInfo[]): string {
  return textTable(
    devices.map((device) => {
      const { id, name, node, state, remote, remoteAddress, clientId, toolCount } = device;
      const isOfNetwork = remote && node === undefined;
      return [
        id,
        deviceStateText(device),
        toolsText(toolCount),
        isOfNetwork ? (remoteAddress ?? '') : node === undefined ? 'this machine' : `at ${node.name}`,
        isOfNetwork || state === 'approval' ? `Client-Id ${clientId ?? 'none'}` : '',
        name,
      ];
    }),
  );
}
