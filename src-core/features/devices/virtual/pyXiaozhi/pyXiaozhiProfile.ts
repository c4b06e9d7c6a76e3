import { createConcurrentScheduler } from '../../../../deviceSide/client/callScheduler.ts';
import type { VirtualProfile } from '../profile.ts';
import { createApplicationTools } from './applicationTools.ts';
import { createMusicTools } from './musicTools.ts';
import { createPictureTools } from './pictureTools.ts';
import { pyXiaozhiDialect } from './pyXiaozhiDialect.ts';
import { pyXiaozhiWire } from './pyXiaozhiWire.ts';
import { createSpeakerTools } from './speakerTools.ts';
import { createWeatherTools } from './weatherTools.ts';

/**
 * py-xiaozhi 2.1.1 on a computer: 19 tools in three pages (docs/protocols/device-mcp.md#tools-and-schemas). Without a
 * sound card its volume cannot be set, as on the machine that the corpus was recorded on.
 */
export function createPyXiaozhiProfile({ soundCard = true }: { soundCard?: boolean } = {}): VirtualProfile {
  return {
    id: 'py-xiaozhi',
    board: 'py-xiaozhi',
    firmware: '2.1.1',
    dialect: pyXiaozhiDialect,
    wire: pyXiaozhiWire,
    listenMode: 'manual',
    frameMs: 20,
    createScheduler: createConcurrentScheduler,
    createTools: (host) => [
      ...createMusicTools(),
      ...createSpeakerTools({ soundCard }),
      ...createApplicationTools(),
      ...createWeatherTools(),
      ...createPictureTools(host),
    ],
  };
}
