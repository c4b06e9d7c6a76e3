import type { ChatView } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';

/** A chat's name for people, also before it has one. */
export function chatTitle({ title }: Pick<ChatView, 'title'>): string {
  return title === '' ? t('chat.list.untitled') : title;
}
