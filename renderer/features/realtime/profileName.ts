import type { RealtimeProfileInfo } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';

/** A realtime model's name for people. The scripted one that is always there has it in the window's language, until it is renamed. */
export function profileName({ id, label }: Pick<RealtimeProfileInfo, 'id' | 'label'>): string {
  return id === 'scripted' && label === 'Scripted realtime model' ? t('realtime.scripted') : label;
}

/** The name of a model of which only the label was kept, as in an imported conversation. */
export function keptProfileName(label: string): string {
  return profileName({ id: 'scripted', label });
}
