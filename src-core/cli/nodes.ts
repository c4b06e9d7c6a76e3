import { existsSync } from 'node:fs';

import type { ClusterInfo, ClusterNode } from '../contract/cluster.ts';
import { isAdmittedState, type DeviceInfo } from '../contract/deviceInfo.ts';
import { listTools } from '../rpc/listTools.ts';
import { isWaiting } from './approveAll.ts';
import type { Command } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { deviceStateText } from './devices.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import { textTable } from './textTable.ts';

/** Devices of a node that are listed without `--all`. */
const maxListed = 20;

/** A node with its connected devices, and how many wait for a decision there; those of a lost node are the ones that it had. */
type NodeWithDevices = ClusterNode & { owns: DeviceInfo[]; waiting: number };

/** `toolwire nodes`: the members of the cluster and their devices. */
export const nodesCommand: Command = {
  name: 'nodes',
  summary: 'List the nodes of the cluster, with their load, version and devices.',
  details:
    `Lists the first ${maxListed} devices of each node. "toolwire tools" lists the tools of all of them.\n` +
    'Asks the workbench that runs on the same data directory. Exit code 1 if it belongs to no cluster.',
  flags: {
    all: { type: 'boolean', help: 'list all devices' },
    json: { type: 'boolean', help: 'print all nodes and devices, with the names of their tools, as JSON' },
    ...dataDirFlag,
  },
  run({ flags, terminal }) {
    const dataDir = dataDirOf(flags);
    const noneRuns = `No Toolwire runs on "${dataDir}". Name the data directory of a running node with --data-dir.\n`;
    // It would be created.
    if (!existsSync(dataDir)) {
      terminal.note(noneRuns);
      return Promise.resolve(exitCodes.failed);
    }
    return withWorkbench({ flags, terminal }, async ({ client, joined }) => {
      const info = await client.cluster.info();
      const devices = info.nodes.length === 0 ? [] : await client.devices.list();
      const nodes = info.nodes.map((node): NodeWithDevices => {
        const all = devices.filter((device) => (device.node?.id ?? info.nodes[0]?.id) === node.id);
        return {
          ...node,
          owns: all.filter(isListed),
          waiting: all.filter((device) => isWaiting(device) && !device.wasRejected).length,
        };
      });
      if (flags.isSet('json')) {
        const methods = new Map(
          (await listTools(client)).map((tool) => [tool.id, tool.methods.map(({ name }) => name)]),
        );
        const owned = nodes.map((node) => ({ ...node, owns: node.owns.map((device) => ownedFacts(device, methods)) }));
        terminal.print(`${JSON.stringify({ ...info, nodes: owned }, null, 2)}\n`);
      } else {
        const most = flags.isSet('all') ? Infinity : maxListed;
        terminal.print(nodesText(info, nodes, most));
        const more = nodes.filter(({ owns }) => owns.length > most);
        if (more.length > 0)
          terminal.note(
            `Not listed: ${more.map(({ name, owns }) => `${owns.length - most} at ${firstLine(name)}`).join(', ')}. --all lists all devices.\n`,
          );
      }
      for (const note of [...waitNotes(nodes), ...tokenNotes(info)]) terminal.note(note);
      if (info.joined !== undefined) return exitCodes.ok;
      terminal.note(
        joined
          ? 'This Toolwire belongs to no cluster. Start it with: toolwire serve --cluster nats://HOST\n'
          : noneRuns,
      );
      return exitCodes.failed;
    });
  },
};

const isListed = ({ state, node }: DeviceInfo): boolean => node?.isLost === true || isAdmittedState(state);

function ownedFacts(
  { id, deviceId, name, board, firmware, state, health, registryId, toolCount }: DeviceInfo,
  methods: ReadonlyMap<string, string[]>,
): object {
  const tools = registryId === undefined ? [] : methods.get(registryId);
  return { id, deviceId, name, board, firmware, state, health, registryId, toolCount, tools };
}

/** How many devices wait for approval, without those that were rejected. */
function waitNotes(nodes: readonly NodeWithDevices[]): string[] {
  const counts = nodes.flatMap(({ name, waiting }) => (waiting === 0 ? [] : [`${waiting} at ${firstLine(name)}`]));
  if (counts.length === 0) return [];
  return [`Waiting for approval: ${counts.join(', ')}. Approve them with: toolwire approve --all-waiting\n`];
}

/** What is wrong with the token secrets of the cluster. */
function tokenNotes({ joined, nodes }: ClusterInfo): string[] {
  if (joined === undefined) return [];
  const others = nodes.filter(({ otherTokens }) => otherTokens).map(({ name }) => firstLine(name));
  if (!joined.hasTokenSecret)
    return [
      'This node has no token secret of the cluster: the tokens that it issues to devices are valid only here, and it refuses those of\n' +
        'the other nodes. Use --cluster-token-file or TOOLWIRE_TOKEN_SECRET.\n',
    ];
  if (others.length === 0) return [];
  return [
    `Token secrets differ between this node and ${others.join(', ')}: a device that moves between them is refused until it has\n` +
      'a new token. Give all nodes the same secrets with --cluster-token-file or TOOLWIRE_TOKEN_SECRET.\n',
  ];
}

const states: Record<ClusterNode['state'], string> = {
  self: 'this node',
  live: 'live',
  suspect: 'silent',
  lost: 'lost',
  'other-version': 'incompatible version',
};

function nodesText({ joined }: ClusterInfo, nodes: readonly NodeWithDevices[], most: number): string {
  if (joined === undefined) return '';
  const { name: cluster, isConnected, problem } = joined;
  const broker = `${isConnected ? 'connected' : 'not connected'}${problem === undefined ? '' : `: ${messageLine(problem)}`}`;
  const nodeRows = nodes.map(({ id, name, state, isDraining, hasLeft, version, devices, calls, owns }) => [
    name,
    isDraining ? 'restarting' : hasLeft ? 'left' : states[state],
    ...(state === 'lost'
      ? ['–', '–']
      : [String(devices), String(owns.reduce((sum, { toolCount }) => sum + toolCount, 0))]),
    String(calls ?? '–'),
    version,
    id,
  ]);
  const deviceRows = nodes.flatMap(({ name: node, owns }) =>
    owns
      .slice(0, most)
      .map((device) => [device.name, node, deviceStateText(device), String(device.toolCount), device.id]),
  );
  return [
    `Cluster "${cluster}": ${broker}\n`,
    textTable([['NODE', 'STATE', 'DEVICES', 'TOOLS', 'CALLS', 'TOOLWIRE', 'ID'], ...nodeRows]),
    ...(deviceRows.length === 0 ? [] : [textTable([['DEVICE', 'NODE', 'STATE', 'TOOLS', 'ID'], ...deviceRows])]),
  ].join('\n');
}
