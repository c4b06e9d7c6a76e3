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
  const known = devices
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ');
  if (named !== undefined && device === undefined)
    throw new RequestError(`No device "${named}" is connected.${known === '' ? '' : ` There are: ${known}.`}`, {
      field: '$device',
    });
  throw new RequestError(
    device === undefined
      ? 'No device is connected, but {{$device}} needs one.'
      : `{{$device}} matches several devices: ${known}. Choose one, in the terminal with --device.`,
    { field: '$device' },
  );
}
