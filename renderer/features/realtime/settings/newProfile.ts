import type {
  RealtimeDialectDifferences,
  RealtimePreset,
  RealtimeScript,
} from '../../../../src-core/contract/types.ts';

/** What a script begins with: a word, then a call and what came of it. */
export const starterScript: RealtimeScript = {
  turns: [
    { heard: 'What time is it?', say: 'One moment.', calls: [{ name: 'get_time' }], then: 'It is {{output}}.' },
    { heard: 'Thank you', say: 'You are welcome.' },
  ],
  atEnd: 'repeat',
};

/** A model as a preset makes it: it can be tested as soon as its key is there. */
export function newRealtimeServer({ dialect, label, url, model, differences }: RealtimePreset) {
  return {
    kind: 'server' as const,
    label,
    dialect,
    url,
    model,
    ...(differences && { differences: asJson(differences) }),
  };
}

/** A scripted model, to be gone on with. */
export function newRealtimeScript(label: string) {
  return { kind: 'scripted' as const, label, dialect: 'openai' as const, script: asJson(starterScript) };
}

/** A script, or the differences of a server, as JSON carries them. */
function asJson(value: RealtimeScript | RealtimeDialectDifferences) {
  return JSON.parse(JSON.stringify(value)) as Record<string, never>;
}
