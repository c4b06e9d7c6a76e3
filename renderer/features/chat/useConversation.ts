import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import type { ChatEntry, ChatPage, ChatStream, ChatView } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useTopic } from '../../client/useTopic.ts';

/** Entries that are fetched at once, going back. */
const pageSize = 60;
/** Changes that are fetched at once. */
const changesAtOnce = 200;

/** A reply that comes right now. */
export type Streaming = Pick<ChatStream, 'entryId' | 'text' | 'reasoning' | 'toolCalls'>;

/** A window's copy of one chat: its last entries, kept as they are in the engine, and earlier ones on demand. */
export interface Conversation {
  session: ShallowRef<ChatView | undefined>;
  entries: ShallowRef<readonly ChatEntry[]>;
  stream: ShallowRef<Streaming | undefined>;
  loaded: ComputedRef<boolean>;
  /** Why the last fetch failed. */
  error: Ref<string | undefined>;
  /** There are entries before the first one here. */
  hasEarlier: Ref<boolean>;
  loadEarlier(): Promise<void>;
  /** Lets go of all but so many of the newest. */
  keepNewest(count: number): void;
  /** Fetches what changed. */
  refresh(): Promise<void>;
}

/** Follows a chat for as long as its scope lives. One request at a time; a change meanwhile leads to one more. */
export function useConversation(sessionId: string): Conversation {
  const client = useClient();
  const session = shallowRef<ChatView>();
  const entries = shallowRef<readonly ChatEntry[]>([]);
  const stream = shallowRef<Streaming>();
  const hasEarlier = ref(false);
  const { error, enqueue } = useRequests();
  let revision: number | undefined;
  /** A refresh that waits for earlier requests. */
  let queued: Promise<void> | undefined;

  /** The pieces that are here, with those of a page over them; what lies before the first one is not kept. */
  function merge(changed: readonly ChatEntry[], from: number): void {
    if (changed.length === 0) return;
    const all = new Map(entries.value.map((entry) => [entry.position, entry]));
    for (const entry of changed) if (entry.position >= from) all.set(entry.position, entry);
    entries.value = [...all.values()].sort((a, b) => a.position - b.position);
  }

  function take({ session: view, stream: part }: ChatPage): void {
    session.value = view;
    stream.value = part && continued(stream.value, part);
  }

  async function fetchChanges(): Promise<void> {
    let more: boolean;
    do {
      const first = revision === undefined;
      const now = stream.value;
      const known = now && { entryId: now.entryId, text: now.text.length, reasoning: now.reasoning.length };
      const page = await client.chat.get({
        sessionId,
        limit: first ? pageSize : changesAtOnce,
        ...(revision !== undefined && { afterRevision: revision }),
        ...(known !== undefined && { known }),
      });
      if (first) hasEarlier.value = page.more;
      merge(page.entries, first ? 1 : (entries.value[0]?.position ?? 1));
      take(page);
      revision = page.revision;
      more = !first && page.more;
    } while (more);
  }

  function refresh(): Promise<void> {
    queued ??= enqueue(() => {
      queued = undefined;
      return fetchChanges();
    });
    return queued;
  }

  useTopic(['chats'], () => void refresh());

  return {
    session,
    entries,
    stream,
    hasEarlier,
    error,
    refresh,
    loaded: computed(() => session.value !== undefined),
    loadEarlier: () =>
      enqueue(async () => {
        const before = entries.value[0]?.position;
        if (before === undefined || before === 1) return;
        const page = await client.chat.get({ sessionId, before, limit: pageSize });
        merge(page.entries, 1);
        hasEarlier.value = page.more;
      }),
    keepNewest(count) {
      if (entries.value.length <= count) return;
      entries.value = entries.value.slice(-count);
      hasEarlier.value = true;
    },
  };
}

function continued(before: Streaming | undefined, part: ChatStream): Streaming {
  const { text, reasoning } = before?.entryId === part.entryId ? before : { text: '', reasoning: '' };
  return {
    entryId: part.entryId,
    text: text.slice(0, part.textFrom) + part.text,
    reasoning: reasoning.slice(0, part.reasoningFrom) + part.reasoning,
    toolCalls: part.toolCalls,
  };
}

/** Runs one request after another. A failure is shown until a later request succeeds. */
function useRequests() {
  const error = ref<string>();
  let last: Promise<void> = Promise.resolve();
  function enqueue(request: () => Promise<void>): Promise<void> {
    last = last.then(async () => {
      try {
        await request();
        error.value = undefined;
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
    });
    return last;
  }
  return { error, enqueue };
}
