import { setTimeout as wait } from 'node:timers/promises';

import type { Client } from '../rpc/client.ts';
import type { DeviceInfo } from '../contract/types.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';

/** ms between two looks at which devices wait. */
const lookMs = 1_000;

/** Approves the devices that wait, until none waits, except those that were rejected. Each is tried once. Resolves to the exit code: `failed` if one was not approved. */
export async function approveAll(
  devices: Pick<Client['devices'], 'list' | 'approve'>,
  terminal: Pick<Terminal, 'note' | 'ended'>,
): Promise<number> {
  const tried = new Set<string>();
  let approved = 0;
  const keyOf = ({ id, clientId }: DeviceInfo): string => JSON.stringify([id, clientId]);
  const rejected = new Map<string, string>();
  const shownOf = ({ name, id }: DeviceInfo): string => `${firstLine(name)} (${firstLine(id)})`;
  const left = async (): Promise<DeviceInfo[]> => {
    const waiting = (await devices.list()).filter((device) => isWaiting(device) && !tried.has(keyOf(device)));
    for (const device of waiting) if (device.wasRejected) rejected.set(keyOf(device), shownOf(device));
    return waiting.filter(({ wasRejected }) => !wasRejected);
  };
  for (let waiting = await left(); waiting.length > 0 && !terminal.ended.aborted; waiting = await left()) {
    for (const device of waiting) {
      const { id, clientId = '' } = device;
      tried.add(keyOf(device));
      const shown = shownOf(device);
      try {
        const decided = await devices.approve({ id, clientId });
        approved += 1;
        terminal.note(`${shown} is approved.${sharedNote(decided)}\n`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        terminal.note(`${shown} is not approved: ${messageLine(reason)}\n`);
      }
    }
    await wait(lookMs, undefined, { signal: terminal.ended }).catch(() => undefined);
  }
  for (const shown of rejected.values())
    terminal.note(`${shown} was rejected, and is left out. Name it to approve it.\n`);
  terminal.note(approved === 1 ? '1 device is approved.\n' : `${approved} devices are approved.\n`);
  return approved === tried.size ? exitCodes.ok : exitCodes.failed;
}

/** What follows the outcome of a decision on a device. */
export function sharedNote({ isUnshared }: Pick<DeviceInfo, 'isUnshared'>): string {
  return isUnshared ? ' The decision is not shared with the other nodes yet.' : '';
}

export function isWaiting({ state }: DeviceInfo): boolean {
  return state === 'approval';
}
