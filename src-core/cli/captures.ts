import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Client } from '../api/client.ts';
import type { Command } from './command.ts';
import { connect } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { findDevice } from './findDevice.ts';
import { firstLine } from './firstLine.ts';
import { importCapture } from './importCapture.ts';

/** `toolwire export`: a device's log as a file. */
export const exportCommand: Command = {
  name: 'export',
  argument: { label: 'DEVICE', required: true },
  summary: "Write a device's wire log as a capture (JSON lines).",
  details: 'DEVICE is its id or its name. Devices of earlier runs are known too, as long as the log holds them.',
  flags: { out: { type: 'string', value: 'FILE', help: 'where to; standard output unless told' }, ...dataDirFlag },
  async run({ argument: wanted = '', flags, terminal }) {
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const { id, name } = await findDevice(client, wanted);
      const out = flags.text('out');
      if (out === undefined) for await (const part of parts(client, id)) terminal.print(part);
      else await pipeline(parts(client, id), createWriteStream(out));
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
  summary: 'Take a capture in, to look at it, to replay it or to make a device of it.',
  flags: { ...dataDirFlag },
  async run({ argument: file = '', flags, terminal }) {
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const { id, frames, callCount, device } = await importCapture(client, file);
      terminal.print(`Capture ${id}: ${frames} frames of ${firstLine(device.name)}, ${callCount} calls.\n`);
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};

async function* parts(client: Client, deviceId: string): AsyncGenerator<string> {
  let after: number | undefined;
  do {
    const part = await client.captures.exportPart({ deviceId, ...(after !== undefined && { after }) });
    yield part.text;
    after = part.next;
  } while (after !== undefined);
}
