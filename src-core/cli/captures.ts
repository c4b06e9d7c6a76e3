import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Client } from '../rpc/client.ts';
import type { RealtimeSessionInfo } from '../contract/types.ts';
import type { Command } from './command.ts';
import { connect } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { findDevice } from './findDevice.ts';
import { firstLine } from './firstLine.ts';
import { importCapture } from './importCapture.ts';
import { findServer } from './neededServers.ts';
import { UsageError } from './usageError.ts';

/** `toolwire export`: a log as a file. */
export const exportCommand: Command = {
  name: 'export',
  argument: { label: 'DEVICE', required: false },
  summary:
    'Write the log of a device, an MCP server, the gateway or a realtime conversation as a capture (JSON lines).',
  details:
    'DEVICE is its id or its name. Devices of earlier runs can also be exported, as long as the log contains them.',
  flags: {
    server: { type: 'string', value: 'SERVER', help: 'write the log of this MCP server, by its id or its name' },
    gateway: { type: 'boolean', help: 'write the log of all clients of the gateway' },
    conversation: {
      type: 'string',
      value: 'ID',
      help: 'write the log of this realtime conversation; "latest" for the newest',
    },
    out: { type: 'string', value: 'FILE', help: 'write to this file; by default, to standard output' },
    ...dataDirFlag,
  },
  async run({ argument, flags, terminal }) {
    const conversation = flags.text('conversation');
    const server = flags.text('server');
    const wanted = [argument, server, conversation, flags.isSet('gateway') || undefined];
    if (wanted.filter((each) => each !== undefined).length !== 1)
      throw new UsageError(
        '"toolwire export" needs DEVICE, --server SERVER, --gateway or --conversation ID, only one of them.',
      );
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const { source, name } = await findLog(client, { device: argument, server, conversation });
      const out = flags.text('out');
      if (out === undefined) for await (const part of parts(client, source)) terminal.print(part);
      else await pipeline(parts(client, source), createWriteStream(out));
      if (out !== undefined) terminal.note(`The log of ${firstLine(name)} is in ${out}.\n`);
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};

/** `toolwire import`: a capture, kept in the workbench. */
export const importCommand: Command = {
  name: 'import',
  argument: { label: 'FILE', required: true },
  summary: 'Import a capture, to view it, replay it or run it as a virtual device.',
  flags: { ...dataDirFlag },
  async run({ argument: file = '', flags, terminal }) {
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const { id, frames, callCount, device } = await importCapture(client, file);
      const calls = callCount === 1 ? '1 call' : `${callCount} calls`;
      const count = frames === 1 ? '1 frame' : `${frames} frames`;
      terminal.print(`Capture ${id}: ${count} of ${firstLine(device.name)}, ${calls}.\n`);
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};

type Source = { deviceId: string } | { serverId: string } | { conversationId: string } | { shared: 'gateway' };

async function findLog(
  client: Client,
  { device, server, conversation }: Record<'device' | 'server' | 'conversation', string | undefined>,
): Promise<{ source: Source; name: string }> {
  if (device !== undefined) {
    const { id, name } = await findDevice(client, device, { own: true });
    return { source: { deviceId: id }, name };
  }
  if (server !== undefined) {
    const { id, name } = await findServer(client, server);
    return { source: { serverId: id }, name };
  }
  if (conversation === undefined) return { source: { shared: 'gateway' }, name: 'the gateway' };
  const { id, label } = await findConversation(client, conversation);
  return { source: { conversationId: id }, name: label };
}

/** The conversation of an id, or the one begun last. */
async function findConversation(client: Client, wanted: string): Promise<RealtimeSessionInfo> {
  const all = await client.realtime.sessions();
  const found = wanted === 'latest' ? all[0] : all.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  const known = all
    .slice(0, 10)
    .map(({ id, label, startedAt }) => `${id} (${label}, ${new Date(startedAt).toISOString()})`);
  throw new Error(
    `No conversation "${wanted}" is known. ${known.length === 0 ? 'The log has none.' : `The newest are: ${known.join(', ')}.`}`,
  );
}

async function* parts(client: Client, source: Source): AsyncGenerator<string> {
  let after: number | undefined;
  do {
    const part = await client.captures.exportPart({ ...source, ...(after !== undefined && { after }) });
    yield part.text;
    after = part.next;
  } while (after !== undefined);
}
