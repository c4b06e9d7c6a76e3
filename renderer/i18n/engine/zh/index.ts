import type { EngineTexts } from '../createWording.ts';
import { callTexts } from './calls.ts';
import { causeTexts } from './causes.ts';
import { chatTexts } from './chat.ts';
import { clusterTexts } from './cluster.ts';
import { collectionTexts } from './collections.ts';
import { deviceTexts } from './devices.ts';
import { gatewayTexts } from './gateway.ts';
import { inputTexts } from './input.ts';
import { modelTexts } from './models.ts';
import { moduleTexts } from './modules.ts';
import { realtimeTexts } from './realtime.ts';
import { replyTexts } from './replies.ts';
import { serverTexts } from './servers.ts';
import { storedTexts } from './storedTexts.ts';
import { validatorTexts } from './validator.ts';
import { workbenchTexts } from './workbench.ts';

/** Every sentence of the engine that reaches a window, in Chinese. */
export const engineTexts: EngineTexts = {
  ...callTexts,
  ...causeTexts,
  ...chatTexts,
  ...clusterTexts,
  ...collectionTexts,
  ...deviceTexts,
  ...gatewayTexts,
  ...inputTexts,
  ...modelTexts,
  ...moduleTexts,
  ...realtimeTexts,
  ...replyTexts,
  ...serverTexts,
  ...storedTexts,
  ...validatorTexts,
  ...workbenchTexts,
};
