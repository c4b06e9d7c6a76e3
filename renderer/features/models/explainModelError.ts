import type { ChatModelErrorCode, JsonObject } from '../../../src-core/contract/types.ts';
import { formatLimit } from '../../../src-core/base/formatDuration.ts';
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
      return { what: t('models.error.timeout', { time: formatLimit(limitMs) }), more: '' };
    }
    case 'unreachable':
      return { what: headline, more: rest };
    case 'http':
      return { what: wordStatus(textOf('status'), textOf('message')), more: adviceOf(details, message) };
    case 'answer':
    case 'too-large':
    case 'stream':
    case 'script':
      return { what: t(`models.error.${code}`), more: message };
  }
}

function wordStatus(status: string, message: string): string {
  const said = message.replace(/[.。]$/, '');
  return said === '' ? t('models.error.httpBare', { status }) : t('models.error.http', { status, said });
}

function adviceOf({ status, retryAfter, location }: JsonObject, message: string): string {
  if (status === 401 || status === 403) return t('models.error.advice.key');
  if (status === 404) return t('models.error.advice.address');
  // It may also be a date.
  if (typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter))
    return t('models.error.advice.after', { seconds: retryAfter });
  if (status === 429) return t('models.error.advice.later');
  return location === undefined ? '' : message;
}
