import type { MethodView } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { joinList } from '../../i18n/joinTexts.ts';

/** Returns why no call of a method can be written as VCP: the name of a required parameter is not a valid key. */
export function vcpReason(method: Pick<MethodView, 'parameters'> | undefined): string | undefined {
  const lost = method?.parameters.filter(({ name, required }) => required && !/^[\w-]+$/.test(name)) ?? [];
  return lost.length === 0
    ? undefined
    : t('discovery.uncarried', { names: joinList(lost.map(({ name }) => `“${name}”`)) });
}
