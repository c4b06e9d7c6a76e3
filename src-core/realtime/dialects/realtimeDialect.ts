import type { JsonObject } from '../../base/json.ts';
import type { RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import type { RealtimeDialectName } from '../../base/realtimeTypes.ts';
import type { SessionChange } from './sessionFields.ts';

/** What differs between realtime servers. The names of both event sets are always understood. */
export interface RealtimeDialect {
  readonly name: RealtimeDialectName;
  /** Samples a second. */
  readonly inputSampleRate: number;
  readonly outputSampleRate: number;
  /** Beside `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that a server wants otherwise, `Authorization` included: `{key}` is the key, null none. */
  readonly changedHeaders?: Readonly<Record<string, string | null>>;
  /** The server's names of events by the dialect's, and the other way round. */
  readonly serverNames?: ReadonlyMap<string, string>;
  readonly dialectNames?: ReadonlyMap<string, string>;
  /** The type of the model's text when a conversation is replayed. */
  readonly assistantTextType: 'output_text' | 'text';
  /** `conversation.item.truncate` is understood. */
  readonly truncates: boolean;
  /** How pictures are sent: as items of the conversation, or into a buffer beside the sound. */
  readonly images: 'items' | 'buffer';
  /** The `session` of a `session.update`; the first one of a connection also has what is set once: formats, turns. */
  session(update: RealtimeSessionUpdate, change: SessionChange): JsonObject;
}
