import type { RealtimeDialectName, RealtimeProfileInfo } from '../../../../src-core/contract/types.ts';
import { readJsonObject, sessionDraftOf, sessionOptionsOf, type SessionDraft } from '../setup/sessionDraft.ts';

/** The form of a realtime model behind a server, as it is being typed. */
export interface RealtimeDraft {
  label: string;
  dialect: RealtimeDialectName;
  url: string;
  model: string;
  voice: string;
  session: SessionDraft;
  /** JSON of an object; empty for a server that speaks its dialect. */
  differences: string;
}

export function toDraft(profile: RealtimeProfileInfo): RealtimeDraft {
  const { label, dialect, url = '', model, voice = '', session, differences } = profile;
  return {
    label,
    dialect,
    url,
    model,
    voice,
    session: sessionDraftOf(session),
    differences: differences === undefined ? '' : JSON.stringify(differences, null, 2),
  };
}

/** The draft as it is sent. */
export function toChange(id: string, { label, dialect, url, model, voice, session, differences }: RealtimeDraft) {
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
    ...(differences.trim() !== '' && { differences: readJsonObject(differences) ?? {} }),
  };
}
