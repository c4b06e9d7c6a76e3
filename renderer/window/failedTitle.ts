import { t } from '../i18n/index.ts';
import { visibleText } from '../ui/format/visibleText.ts';

/** The title of a notice that an action failed. `action` is the text of its button, `name` is what it was about. */
export function failedTitle(action: string, name = ''): string {
  return name === '' ? t('common.failed', { action }) : t('common.failedOf', { action, name: visibleText(name) });
}
