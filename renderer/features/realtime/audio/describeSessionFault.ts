import { problemOfJson } from '../../../ui/forms/words/problemOfJson.ts';
import { t, type MessageKey } from '../../../i18n/index.ts';
import { amounts, sessionFaults, type AmountName, type SessionDraft } from '../setup/sessionDraft.ts';

const labels: Record<AmountName | 'extra', MessageKey> = {
  silenceMs: 'realtime.options.silence',
  threshold: 'realtime.options.threshold',
  prefixPaddingMs: 'realtime.options.prefixPadding',
  temperature: 'realtime.options.temperature',
  speed: 'realtime.options.speed',
  extra: 'realtime.options.extra',
};

/** What is wrong with a field of a realtime session, with the field's name; of JSON, with the place. */
export function describeSessionFault(name: AmountName | 'extra', draft: SessionDraft): string {
  return t('realtime.options.fault', { name: t(labels[name]), what: reasonOf(name, draft) });
}

/** Why a draft cannot be sent: its first fault; undefined if it can. */
export function describeSessionProblem(draft: SessionDraft): string | undefined {
  const [fault] = sessionFaults(draft);
  return fault === undefined ? undefined : describeSessionFault(fault, draft);
}

function reasonOf(name: AmountName | 'extra', { extra }: SessionDraft): string {
  if (name === 'extra') return problemOfJson(extra, { object: true }) ?? t('saved.json.notObject');
  const { min, max, isWhole } = amounts[name];
  return t(isWhole ? 'settings.field.range' : 'settings.field.rangeOf', { min, max });
}
