import type { MethodView } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { joinList } from '../../i18n/joinTexts.ts';
import { visibleText } from '../../ui/format/visibleText.ts';

/** Whether its source offers a method to any model, not only to hosts and agents of devices. */
export function isForModels({ agentCallable, consumers }: MethodView): boolean {
  return agentCallable && consumers?.every((each) => each === 'host' || each === 'device') !== true;
}

/** Whether a model can call a method in a protocol: its source offers it, and VCP can pass what it requires. */
export function isCallableIn(protocol: string, method: MethodView): boolean {
  return isForModels(method) && (protocol === 'json' || protocol === 'native' || method.uncarried === undefined);
}

/** Returns why no call of a method can be written as VCP: the name of a required parameter is not a valid key. */
export function vcpReason({ uncarried }: Pick<MethodView, 'uncarried'> = {}): string | undefined {
  const names = uncarried?.map((name) => `“${visibleText(name)}”`);
  return names && t('discovery.uncarried', { names: joinList(names) });
}
