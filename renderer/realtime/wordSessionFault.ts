import { t, type MessageKey } from '../i18n/index.ts';
import { amounts, sessionFaults, type AmountName, type SessionDraft } from './sessionDraft.ts';

const labels: Record<AmountName, MessageKey> = {
  silenceMs: 'realtime.options.silence',
  threshold: 'realtime.options.threshold',
  prefixPaddingMs: 'realtime.options.prefixPadding',
  temperature: 'realtime.options.temperature',
  speed: 'realtime.options.speed',
};

/** What a field of a realtime session must be, with the field's name. */
export function wordSessionFault(name: AmountName | 'extra'): string {
  if (name === 'extra') return t('realtime.options.extraInvalid');
  const { min, max, isWhole } = amounts[name];
  const range = t(isWhole ? 'settings.field.range' : 'settings.field.rangeOf', { min, max });
  return t('realtime.options.amountInvalid', { name: t(labels[name]), range });
}

/** Why a draft cannot be sent: its first fault; undefined if it can. */
export function wordSessionProblem(draft: SessionDraft): string | undefined {
  const [fault] = sessionFaults(draft);
  return fault === undefined ? undefined : wordSessionFault(fault);
}
