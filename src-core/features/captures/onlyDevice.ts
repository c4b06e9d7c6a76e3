import { RequestError } from '../../base/requestError.ts';
import type { ToolSource } from '../../base/toolTypes.ts';

/**
 * The registry id of the device that `{{$device}}` means: the named one, by its registry's id or its name, or the only
 * one there is.
 * @throws {RequestError} If that is ambiguous or missing.
 */
export function onlyDevice(tools: readonly { id: string; name: string; source: ToolSource }[], named?: string): string {
  const devices = tools.filter(({ source }) => source.kind === 'device');
  const meant =
    named === undefined ? devices : devices.filter(({ id, name, source }) => [id, name, source.id].includes(named));
  const [device, another] = meant;
  if (device !== undefined && another === undefined) return device.id;
  throw new RequestError(problem({ named, meant: idsOf(meant), known: idsOf(devices) }), { field: '$device' });
}

/** `meant`: the several devices that are meant, if any are. `known`: all. */
function problem({ named, meant, known }: { named: string | undefined; meant: string; known: string }): string {
  if (named === undefined)
    return meant === ''
      ? 'No device is connected, but {{$device}} needs one.'
      : `Several devices are connected. Choose one for {{$device}}, in the terminal with --device: ${meant}.`;
  if (meant !== '') return `Several devices are named "${named}". Give the id: ${meant}.`;
  return `No device "${named}" is connected.${known === '' ? '' : ` There are: ${known}.`}`;
}

function idsOf(devices: readonly { id: string }[]): string {
  const ids = devices.slice(0, 5).map(({ id }) => id);
  return ids.join(', ');
}
