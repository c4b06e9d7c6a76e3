import type { RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';
import { wordEngine } from '../../../i18n/engine/wordEngine.ts';

export type Lane = RealtimeTimelineItem['lane'];

/** From top to bottom: the user, the model, the tools, everything else. */
export const lanes = ['user-audio', 'user-speech', 'response', 'bot-audio', 'tool', 'event'] as const satisfies Lane[];

/** Items by lane, each lane in the order of time. */
export function byLane(items: readonly RealtimeTimelineItem[]): Record<Lane, RealtimeTimelineItem[]> {
  const found: Record<Lane, RealtimeTimelineItem[]> = {
    'user-audio': [],
    'user-speech': [],
    response: [],
    'bot-audio': [],
    tool: [],
    event: [],
  };
  for (const item of items) found[item.lane].push(item);
  for (const lane of lanes) found[lane].sort((a, b) => a.from - b.from || a.seq - b.seq);
  return found;
}

/** The text of an item: our remarks in the window's language, speech and calls unchanged. */
export function labelOf({ lane, label }: Pick<RealtimeTimelineItem, 'lane' | 'label'>): string {
  return lane === 'event' ? wordEngine(label) : label;
}
