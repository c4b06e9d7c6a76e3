import { onScopeDispose } from 'vue';

import { t } from '../../i18n/index.ts';
import { testUtterance } from './audio/testUtterance.ts';
import type { Talk } from './speak/useTalk.ts';
import type { Voice } from './speak/useVoice.ts';
import type { FollowedConversation } from './useConversation.ts';

/** Times the built-in utterance is said at most: a script may greet first. */
const mostTurns = 3;
/** ms between two looks at whether the model has finished. */
const lookMs = 200;

/** A whole conversation without a microphone: something is said, the model answers, until it has called a tool and spoken of it. */
export function useDemo(of: { conversation: FollowedConversation; talk: Talk; voice: Voice }): () => Promise<void> {
  const { conversation, talk, voice } = of;
  const { info } = conversation;
  let ended = false;
  onScopeDispose(() => (ended = true));
  const goesOn = (): boolean => !ended && info.value.state === 'connected';

  /** Until the model has answered, called what it calls, and is heard to the end. */
  async function answered(responses: number): Promise<void> {
    while (goesOn()) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      const { counts, speaking } = info.value;
      const busy =
        speaking.bot || conversation.items.value.some(({ lane, to }) => lane !== 'user-audio' && to === undefined);
      const waitingMs = voice.player.value?.queue.waitingMs ?? 0;
      if (counts.responses > responses && !busy && waitingMs === 0) return;
    }
  }

  return async () => {
    await conversation.refresh();
    for (let turn = 0; turn < mostTurns && goesOn() && info.value.counts.calls === 0; turn += 1) {
      const { responses } = info.value.counts;
      const sampleRate = info.value.inputSampleRate;
      await talk.play({ pcm: testUtterance(sampleRate), sampleRate, name: t('realtime.speak.test') });
      await answered(responses);
    }
  };
}
