import type { VirtualProfile } from '../profile.ts';
import { createBoardState } from './boardState.ts';
import { createCommonTools } from './commonTools.ts';
import { firmwareDialect } from './firmwareDialect.ts';
import { firmwareWire } from './firmwareWire.ts';
import { createLightTools } from './lightTools.ts';
import { createMainTask } from './mainTask.ts';
import { createUserTools } from './userTools.ts';

const identity = { board: 'esp32-s3-box', firmware: '2.4.2' };

/** A speaker with a screen, a camera and a light strip: an ESP32-S3 board with the xiaozhi firmware. */
export const firmwareProfile: VirtualProfile = {
  id: 'firmware',
  ...identity,
  dialect: firmwareDialect,
  wire: firmwareWire,
  createScheduler: createMainTask,
  silentFrames: 50,
  channelTimeoutMs: 120_000,
  createTools: (host) => {
    const state = createBoardState();
    return [...createCommonTools(state, host), ...createLightTools(state), ...createUserTools({ host, ...identity })];
  },
};
