import type { RealtimeSessionOptions } from '../../../../src-core/contract/types.ts';

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

/** How many settings are not left to the model. */
export function countSettings(draft: SessionDraft): number {
  const unset = sessionDraftOf();
  const { extra, ...fields } = draft;
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const fieldCount = names.filter((name) => isSent(name, draft) && draft[name].trim() !== unset[name]).length;
  return fieldCount + (readJsonObject(extra) === undefined ? 1 : Object.keys(readJsonObject(extra) ?? {}).length);
}

/** Whether a field is sent: those of a detection or transcription that is not chosen are not. */
function isSent(name: keyof SessionDraft, { detection, transcription }: SessionDraft): boolean {
  if (name === 'silenceMs' || name === 'threshold' || name === 'prefixPaddingMs') return detection === 'server_vad';
  if (name === 'eagerness') return detection === 'semantic_vad';
  return !((name === 'language' || name === 'transcriptionModel') && transcription !== 'on');
}

/** The numbers that each amount may be, as the contract has them (src-core/contract/realtime.ts). */
export const amounts = {
  silenceMs: { min: 0, max: 60_000, isWhole: true },
  threshold: { min: 0, max: 1, isWhole: false },
  prefixPaddingMs: { min: 0, max: 60_000, isWhole: true },
  temperature: { min: 0, max: 2, isWhole: false },
  speed: { min: 0.25, max: 4, isWhole: false },
} as const;
export type AmountName = keyof typeof amounts;

/** The fields that cannot be sent as they are written. Fields that are not sent have no fault. */
export function sessionFaults(draft: SessionDraft): (AmountName | 'extra')[] {
  const sent = (Object.keys(amounts) as AmountName[]).filter((name) => isSent(name, draft));
  const faults: (AmountName | 'extra')[] = sent.filter((name) => !isAmount(draft[name], name));
  return readJsonObject(draft.extra) === undefined ? [...faults, 'extra'] : faults;
}

function isAmount(text: string, name: AmountName): boolean {
  const { min, max, isWhole } = amounts[name];
  const value = Number(text);
  return text.trim() === '' || (value >= min && value <= max && (!isWhole || Number.isInteger(value)));
}

/** The draft as it is sent; undefined if a field has a fault. */
export function sessionOptionsOf(draft: SessionDraft): SessionInput | undefined {
  const extra = readJsonObject(draft.extra);
  if (extra === undefined || sessionFaults(draft).length > 0) return undefined;
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
