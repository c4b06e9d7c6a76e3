import type { FrameViews } from '../log/logSource.ts';
import TurnFrame from './detail/TurnFrame.vue';

/** What shows the frames of the gateway's log that are not messages. */
export const turnViews: FrameViews = { turn: TurnFrame };
