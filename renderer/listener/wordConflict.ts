import type { ListenerInfo } from '../../src-core/api/types.ts';
import { t } from '../i18n/index.ts';

/** Who has a port that devices were to have, as far as the system tells. */
export function wordConflict({ port, program, pid }: NonNullable<ListenerInfo['conflict']>): string {
  if (program === undefined) return t('devices.port.taken', { port });
  return pid === undefined
    ? t('devices.port.takenBy', { port, program })
    : t('devices.port.takenByPid', { port, program, pid });
}
