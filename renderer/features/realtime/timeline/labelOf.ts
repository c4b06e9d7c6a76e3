import type { RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';
import { wordEngine } from '../../../i18n/engine/wordEngine.ts';

/** What stands in an item: our remarks in the window's language, what was said and called as it is. */
export function labelOf({ lane, label }: Pick<RealtimeTimelineItem, 'lane' | 'label'>): string {
  return lane === 'event' ? wordEngine(label) : label;
}
