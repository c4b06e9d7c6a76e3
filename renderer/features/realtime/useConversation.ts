import { onScopeDispose, ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
} from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useTopic } from '../../client/useTopic.ts';
import { ConversationCopy } from './conversationCopy.ts';

/** One conversation followed as it goes on: only what is new is fetched. */
export interface FollowedConversation {
  info: ShallowRef<RealtimeSessionInfo>;
  transcript: ShallowRef<readonly RealtimeTranscriptEntry[]>;
  items: ShallowRef<readonly RealtimeTimelineItem[]>;
  loaded: Ref<boolean>;
  error: Ref<string | undefined>;
  refresh(): Promise<void>;
}

/** ms between two questions at least: ten a second are as many as the user sees. */
const restMs = 100;

/** A conversation, or an imported one. */
export type ConversationSource = { id: string } | { captureId: string };

/** Follows a conversation for as long as the component lives; another one is another component. */
export function useConversation(start: RealtimeSessionInfo, source: ConversationSource): FollowedConversation {
  const client = useClient();
  const copy = new ConversationCopy();
  const info = shallowRef(start);
  const transcript = shallowRef<readonly RealtimeTranscriptEntry[]>([]);
  const items = shallowRef<readonly RealtimeTimelineItem[]>([]);
  const loaded = ref(false);
  const error = ref<string>();
  let again = false;
  let ended = false;
  let running: Promise<void> | undefined;

  async function fetchNew(): Promise<void> {
    do {
      again = false;
      try {
        const update = await client.realtime.updates({ ...source, revision: copy.revision });
        if (ended) return;
        const more = copy.take(update);
        info.value = update.session;
        transcript.value = copy.transcript();
        items.value = copy.items();
        again ||= more;
        loaded.value = true;
        error.value = undefined;
        if (again && !more) await new Promise((resolve) => setTimeout(resolve, restMs));
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
    } while (again && !ended);
    running = undefined;
  }

  const refresh = (): Promise<void> => {
    if (running) again = true;
    else running = fetchNew();
    return running ?? Promise.resolve();
  };
  useTopic(['realtime'], () => void refresh());
  onScopeDispose(() => (ended = true));
  void refresh();
  return { info, transcript, items, loaded, error, refresh };
}
