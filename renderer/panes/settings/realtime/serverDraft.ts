import type { RealtimeDialectName, RealtimeProfileInfo } from '../../../../src-core/api/types.ts';

/** The form of a realtime model behind a server, as it is being typed. */
export interface RealtimeDraft {
  label: string;
  dialect: RealtimeDialectName;
  url: string;
  model: string;
  voice: string;
}

export function toDraft({ label, dialect, url = '', model, voice = '' }: RealtimeProfileInfo): RealtimeDraft {
  return { label, dialect, url, model, voice };
}

/** The draft as it is sent. */
export function toChange(id: string, { label, dialect, url, model, voice }: RealtimeDraft) {
  const spoken = voice.trim();
  return { kind: 'server' as const, id, label, dialect, url, model, ...(spoken !== '' && { voice: spoken }) };
}
