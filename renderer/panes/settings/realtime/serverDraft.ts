import type { RealtimeDialectName, RealtimeProfileInfo } from '../../../../src-core/api/types.ts';
import { sessionDraftOf, sessionOptionsOf, type SessionDraft } from '../../../realtime/sessionDraft.ts';

/** The form of a realtime model behind a server, as it is being typed. */
export interface RealtimeDraft {
  label: string;
  dialect: RealtimeDialectName;
  url: string;
  model: string;
  voice: string;
  session: SessionDraft;
}

export function toDraft({ label, dialect, url = '', model, voice = '', session }: RealtimeProfileInfo): RealtimeDraft {
  return { label, dialect, url, model, voice, session: sessionDraftOf(session) };
}

/** The draft as it is sent. */
export function toChange(id: string, { label, dialect, url, model, voice, session }: RealtimeDraft) {
  const spoken = voice.trim();
  return {
    kind: 'server' as const,
    id,
    label,
    dialect,
    url,
    model,
    session: sessionOptionsOf(session) ?? {},
    ...(spoken !== '' && { voice: spoken }),
  };
}
