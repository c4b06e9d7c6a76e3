import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** A frame that was sent by hand. */
export interface SentFrame {
  /** Text as it went, or base64 of the bytes. */
  text: string;
  binary: boolean;
  /** Epoch ms. */
  at: number;
  deviceName: string;
}

const kept = 20;

/** The last frames sent by hand, newest first. Only as long as the window is open: they may hold secrets. */
export const useSentFrames = defineStore('sentFrames', () => {
  const list = shallowRef<readonly SentFrame[]>([]);
  return {
    list,
    add(frame: SentFrame): void {
      const others = list.value.filter(({ text, binary }) => text !== frame.text || binary !== frame.binary);
      list.value = [frame, ...others].slice(0, kept);
    },
  };
});
