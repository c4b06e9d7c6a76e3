import type { RemovedThing } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';

/** What was removed, as a list names it: “Log of Kitchen lamp”. */
export function wordRemoved({ kind, name }: Pick<RemovedThing, 'kind' | 'name'>): string {
  return t(`shell.closed.things.${kind}`, { name });
}
