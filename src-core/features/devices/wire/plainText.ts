import { oneLine } from '../../../base/hiddenCharacters.ts';
import { otherNodeOf } from '../../../registry/departedTool.ts';

/** A device's text as one short printable line; `undefined` if it is not a string or nothing is left of it. */
export function plainText(value: unknown, maxLength = 64): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = oneLine(value.slice(0, maxLength * 4))
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return text === '' ? undefined : text;
}

/** A Device-Id in lower case; `undefined` if it is none, or reads as the id of a device of another node. */
export function readDeviceId(value: unknown): string | undefined {
  const id = plainText(value)?.toLowerCase();
  return id === undefined || otherNodeOf(id) !== undefined ? undefined : id;
}
