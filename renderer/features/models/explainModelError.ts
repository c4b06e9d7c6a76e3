import type { ChatModelErrorCode, JsonObject } from '../../../src-core/contract/types.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { t } from '../../i18n/index.ts';
import { splitHeadline } from '../../i18n/joinTexts.ts';

/** A failed step as reported by the engine. */
export interface ModelErrorInfo {
  code: ChatModelErrorCode;
  message: string;
  details: JsonObject;
}

/** A failed step in the window's language. */
export interface ModelErrorWords {
  /** What happened. */
  what: string;
  /** What to do about it, or the message of the engine, if it contains more. */
  more: string;
}

/** Explains a chat model's failure by its code and details, and adds what only the engine knows. */
export function explainModelError({ code, message: english, details }: ModelErrorInfo): ModelErrorWords {
  const message = wordEngine(english);
  const { headline, rest } = splitHeadline(message);
  const textOf = (name: string): string => String(details[name] ?? '');
  switch (code) {
    case 'cancelled':
      return { what: t('models.error.cancelled'), more: '' };
    case 'timeout': {
      const { limitMs } = details;
      if (typeof limitMs !== 'number') return { what: message, more: '' };
      return { what: t('models.error.timeout', { time: formatDuration(limitMs) }), more: '' };
    }
    case 'unreachable':
      return { what: headline, more: rest };
    case 'http':
      return wordAnswer(textOf('status'), textOf('message'), details['location'] ? message : '');
    case 'answer':
    case 'too-large':
    case 'stream':
    case 'script':
      return { what: t(`models.error.${code}`), more: message };
  }
}

function wordAnswer(status: string, message: string, redirect: string): ModelErrorWords {
  const said = message.replace(/[.。]$/, '');
  const what = said === '' ? t('models.error.httpBare', { status }) : t('models.error.http', { status, said });
  if (status === '401' || status === '403') return { what, more: t('models.error.advice.key') };
  if (status === '404') return { what, more: t('models.error.advice.address') };
  return { what, more: status === '429' ? t('models.error.advice.later') : redirect };
}
