import type { ModelChange, ServerModelProfile } from '../../../../src-core/contract/types.ts';

/** The form of a server's model while it is edited. */
export interface ServerDraft {
  label: string;
  baseUrl: string;
  model: string;
  stream: boolean;
  /** If empty, the server's default applies. */
  temperature: string;
  maxTokens: string;
  /** Seconds. */
  total: string;
  chunk: string;
}

/** Limits of a number field; `whole` allows no fraction, `optional` allows an empty field. */
export interface NumberLimits {
  min: number;
  max: number;
  whole?: boolean;
  optional?: boolean;
}

export const numberLimits = {
  temperature: { min: 0, max: 2, optional: true },
  maxTokens: { min: 1, max: 10_000_000, whole: true, optional: true },
  total: { min: 1, max: 3_600 },
  chunk: { min: 1, max: 3_600 },
} satisfies Partial<Record<keyof ServerDraft, NumberLimits>>;

export type NumberName = keyof typeof numberLimits;

export function toDraft(model: ServerModelProfile): ServerDraft {
  const { label, baseUrl, stream, temperature, maxTokens, totalMs, chunkMs } = model;
  return {
    label,
    baseUrl,
    model: model.model,
    stream,
    temperature: temperature === undefined ? '' : String(temperature),
    maxTokens: maxTokens === undefined ? '' : String(maxTokens),
    total: String(totalMs / 1_000),
    chunk: String(chunkMs / 1_000),
  };
}

/** Whether a number field is invalid and cannot be saved. */
export function isOutOfRange(draft: ServerDraft, name: NumberName): boolean {
  const { min, max, whole = false, optional = false }: NumberLimits = numberLimits[name];
  const text = draft[name].trim();
  if (text === '') return !optional;
  const value = Number(text);
  return !(value >= min && value <= max) || (whole && !Number.isInteger(value));
}

/** Converts the draft to the change to send. Its numbers have passed `isOutOfRange`. */
export function toChange({ id, preset }: ServerModelProfile, draft: ServerDraft): ModelChange {
  const { label, baseUrl, model, stream } = draft;
  const [temperature, maxTokens] = [draft.temperature.trim(), draft.maxTokens.trim()];
  return {
    kind: 'openai-compatible',
    id,
    preset,
    label,
    baseUrl,
    model,
    stream,
    ...(temperature !== '' && { temperature: Number(temperature) }),
    ...(maxTokens !== '' && { maxTokens: Number(maxTokens) }),
    totalMs: Math.round(Number(draft.total) * 1_000),
    chunkMs: Math.round(Number(draft.chunk) * 1_000),
  };
}
