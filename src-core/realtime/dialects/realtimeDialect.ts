import type { JsonObject } from '../../tools/json.ts';
import type { RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import type { RealtimeDialectName } from '../realtimeProfile.ts';

/** What differs between realtime servers (spec/realtime.md, wire facts). The names of both event sets are always understood. */
export interface RealtimeDialect {
  readonly name: RealtimeDialectName;
  /** Samples a second. */
  readonly inputSampleRate: number;
  readonly outputSampleRate: number;
  /** Beside `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The type of the model's own words where a conversation is told again. */
  readonly assistantTextType: 'output_text' | 'text';
  /** `conversation.item.truncate` is understood. */
  readonly truncates: boolean;
  /** The `session` of a `session.update`; `first` adds what a connection is set to once: formats, who takes turns. */
  session(update: RealtimeSessionUpdate, options: { first: boolean }): JsonObject;
}
