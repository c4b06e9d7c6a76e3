import { cloneJson } from '../../base/cloneJson.ts';
import { RequestError } from '../../base/requestError.ts';
import type { RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import { realtimeLimits } from '../limits.ts';
import type { RealtimeSessionOptions } from '../../base/realtimeTypes.ts';

const wireName = /^[a-zA-Z0-9_-]{1,64}$/;

/** @throws {RequestError} Names the field, if a server would refuse the change or drop a part of it. */
export function checkUpdate(update: RealtimeSessionUpdate): void {
  const { instructions, tools, voice } = update;
  checkOptions(update);
  if (instructions !== undefined && instructions.length > realtimeLimits.instructionCharacters)
    throw tooMuch('instructions', realtimeLimits.instructionCharacters, 'characters');
  if (voice !== undefined && (voice.trim() === '' || voice.length > 200))
    throw new RequestError('A voice is a name of up to 200 characters.', { field: 'voice' });
  if (tools === undefined) return;
  if (tools.length > realtimeLimits.tools) throw tooMuch('tools', realtimeLimits.tools, 'tools');
  const names = new Set<string>();
  for (const { name, parameters } of tools) {
    if (!wireName.test(name))
      throw new RequestError(
        `A model cannot carry the tool name ${JSON.stringify(name.slice(0, 80))}: letters, digits, _ and -, at most 64.`,
        { field: 'tools' },
      );
    if (names.has(name))
      throw new RequestError(`Two tools have the name ${name}. Give each its own.`, { field: 'tools' });
    names.add(name);
    const cloned = cloneJson(parameters);
    if ('problem' in cloned)
      throw new RequestError(`The parameters of ${name} are not a schema: ${cloned.problem}.`, { field: 'tools' });
  }
}

function tooMuch(field: string, limit: number, unit: string): RequestError {
  return new RequestError(`The ${field} are more than ${limit} ${unit}. Use fewer.`, { field });
}

function checkOptions({ temperature, speed, turnDetection, extra }: RealtimeSessionOptions): void {
  const { threshold, prefixPaddingMs, silenceMs } = turnDetection ?? {};
  checkRange('temperature', temperature, 0, 2);
  checkRange('speed', speed, 0.25, 4);
  checkRange('threshold', threshold, 0, 1);
  checkRange('prefixPaddingMs', prefixPaddingMs, 0, 60_000);
  checkRange('silenceMs', silenceMs, 0, 60_000);
  if (extra === undefined) return;
  const cloned = cloneJson(extra);
  if ('problem' in cloned)
    throw new RequestError(`The further session fields are not a JSON object: ${cloned.problem}.`, { field: 'extra' });
}

function checkRange(field: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw new RequestError(`${field} must be from ${least} to ${most}.`, { field });
}
