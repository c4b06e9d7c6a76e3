import type { ModelInfo } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';

/** A model's name for people. The scripted one that is always there has it in the window's language, until it is renamed. */
export function modelName({ id, label }: Pick<ModelInfo, 'id' | 'label'>): string {
  return id === 'scripted' && label === 'Scripted model' ? t('models.scripted') : label;
}

/** The name of a model of which only the label was kept, as in a turn of the gateway. */
export function keptModelName(label: string): string {
  return modelName({ id: 'scripted', label });
}
