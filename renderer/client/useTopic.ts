import { onScopeDispose } from 'vue';

import type { WorkbenchTopic } from '../../src-core/contract/types.ts';
import { injectConnection } from './connectionStore.ts';

/** Runs `then` whenever the engine says that one of `topics` changed, and whenever the connection is new. */
export function useTopic(topics: readonly WorkbenchTopic[], then: () => void): void {
  const stop = injectConnection().onTopics((changed) => {
    if (changed.some((topic) => topics.includes(topic))) then();
  });
  onScopeDispose(stop);
}
