import type { DeviceHub } from '../deviceHub.ts';
import type { FrameLog, StoredFrame } from '../../../store/frameTypes.ts';

/** A listed device's frames as the hub has them in memory: all there is of one that was never approved. */
export function memoryLog(hub: Pick<DeviceHub, 'frames'>, deviceId: string): FrameLog {
  const frames = (afterSeq = -1, limit = Infinity) => hub.frames({ deviceId, afterSeq, limit });
  return {
    rows: ({ afterSeq, limit }) =>
      Promise.resolve(
        frames(afterSeq, limit).map((frame) => {
          const row: StoredFrame = { ...frame };
          delete row.text;
          delete row.cut;
          return row;
        }),
      ),
    async *frames({ afterSeq, methods } = {}) {
      for (const frame of frames(afterSeq))
        if (methods === undefined || frame.type === 'open' || methods.includes(frame.method ?? '')) yield frame;
    },
    frame: (seq) => Promise.resolve(frames(seq - 1, 1).find((frame) => frame.seq === seq)),
    bounds() {
      const all = frames();
      const [first, last] = [all[0], all.at(-1)];
      return Promise.resolve(first && last && { first: first.seq, last: last.seq });
    },
    search(text) {
      const wanted = text.toLowerCase();
      const found = frames().filter((frame) => frame.text?.toLowerCase().includes(wanted) === true);
      return Promise.resolve(found.map(({ seq }) => seq));
    },
  };
}
