import { callDanger } from '../../tools/callDanger.ts';
import { dangerOf, dangerReasons } from '../dangerousTools.ts';
import type { HandFrame } from './readHandFrame.ts';

/**
 * Why a frame must be confirmed before it goes out: it restarts the device, or calls a tool that asks first by its name
 * or by the person's list. `undefined` where it need not be.
 */
export function handDanger(
  { reboots, toolName }: HandFrame,
  { registryId = '', dangerousTools }: { registryId?: string | undefined; dangerousTools: readonly string[] },
): string | undefined {
  if (reboots === true) return dangerReasons.reboots;
  if (toolName === undefined) return undefined;
  const danger = dangerOf(toolName);
  const method = danger === undefined ? {} : { danger };
  return callDanger({ method, qualifiedName: `${registryId}_${toolName}` }, dangerousTools);
}
