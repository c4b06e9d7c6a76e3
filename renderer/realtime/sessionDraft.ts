import type { RealtimeSessionOptions } from '../../src-core/api/types.ts';

/** The settings of a realtime session as they are typed. An empty field leaves the setting to the model. */
export interface SessionDraft {
  output: 'default' | 'audio' | 'text';
  transcription: 'default' | 'on' | 'off';
  transcriptionModel: string;
  language: string;
  detection: 'default' | 'server_vad' | 'semantic_vad';
  silenceMs: string;
  threshold: string;
  prefixPaddingMs: string;
  eagerness: 'auto' | 'low' | 'medium' | 'high';
  temperature: string;
  speed: string;
  /** JSON of an object. */
  extra: string;
}

export function sessionDraftOf(options: RealtimeSessionOptions = {}): SessionDraft {
  const { transcription, turnDetection, output, extra } = options;
  const written = transcription === false ? undefined : transcription;
  return {
    output: output ?? 'default',
    transcription: transcription === false ? 'off' : transcription === undefined ? 'default' : 'on',
    transcriptionModel: written?.model ?? '',
    language: written?.language ?? '',
    detection: turnDetection?.type ?? 'default',
    silenceMs: numberText(turnDetection?.silenceMs),
    threshold: numberText(turnDetection?.threshold),
    prefixPaddingMs: numberText(turnDetection?.prefixPaddingMs),
    eagerness: turnDetection?.eagerness ?? 'auto',
    temperature: numberText(options.temperature),
    speed: numberText(options.speed),
    extra: extra === undefined ? '' : JSON.stringify(extra, null, 2),
  };
}

/** The draft as it is sent; undefined if the further fields are not a JSON object. */
export function sessionOptionsOf(draft: SessionDraft): SessionInput | undefined {
  const extra = readJsonObject(draft.extra);
  if (extra === undefined) return undefined;
  const { transcriptionModel: model, language, detection, output } = draft;
  const transcription = {
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(language.trim() !== '' && { language: language.trim() }),
  };
  return {
    ...(output !== 'default' && { output }),
    ...(draft.transcription === 'off' && { transcription: false as const }),
    ...(draft.transcription === 'on' && { transcription }),
    ...(detection === 'server_vad' && {
      turnDetection: {
        type: detection,
        ...numberField('silenceMs', draft.silenceMs),
        ...numberField('threshold', draft.threshold),
        ...numberField('prefixPaddingMs', draft.prefixPaddingMs),
      },
    }),
    ...(detection === 'semantic_vad' && { turnDetection: { type: detection, eagerness: draft.eagerness } }),
    ...numberField('temperature', draft.temperature),
    ...numberField('speed', draft.speed),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** As the contract takes it: JSON. */
type SessionInput = Omit<RealtimeSessionOptions, 'extra'> & { extra?: Record<string, never> };

/** An object in JSON, empty for no text; undefined if the text is something else. */
export function readJsonObject(text: string): Record<string, never> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, never>) : undefined;
  } catch {
    // Not JSON: the field says so.
    return undefined;
  }
}

function numberField<K extends string>(name: K, text: string): Partial<Record<K, number>> {
  return text.trim() === '' ? {} : ({ [name]: Number(text) } as Record<K, number>);
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
