import type { EngineTexts } from '../createWording.ts';

/** Sentences that the engine does not say any more, but that the history may have from an earlier version. */
export const storedTexts: EngineTexts = {
  '{0}, {1} after the request. No answer to request #{2} arrived. If it does not reconnect by itself, press its button, say the wake word, or start a conversation in py-xiaozhi.':
    '请求 #{2} 发出 {1} 后，{0~}，未收到应答。如果设备没有自动重连，请按下按键、说出唤醒词，或在 py-xiaozhi 中开始对话。',
};
