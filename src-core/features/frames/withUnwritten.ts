import type { Frame, FrameRow } from '../../contract/frames.ts';
import type { StoredLog } from '../../store/frameTypes.ts';
import { holdsText } from '../../store/likeText.ts';
import { maxFound } from '../../store/connectStore.ts';

/** A log of the store, and behind it its frames that are not written yet. `unwritten` returns them, oldest first. */
export function withUnwritten(log: StoredLog, unwritten: () => readonly Frame[]): StoredLog {
  // In each function `unwritten` is called first: a frame that is written meanwhile is found twice, and not missed.
  const after = (frames: readonly Frame[], seq: number) => frames.filter((frame) => frame.seq > seq);
  return {
    async rows({ afterSeq, limit }) {
      const frames = unwritten();
      const rows = await log.rows({ afterSeq, limit });
      if (rows.length === limit) return rows;
      return [...rows, ...after(frames, rows.at(-1)?.seq ?? afterSeq).map(rowOf)].slice(0, limit);
    },
    async *frames(filter = {}) {
      const frames = unwritten();
      let last = filter.afterSeq ?? -1;
      for await (const frame of log.frames(filter)) {
        yield frame;
        last = frame.seq;
      }
      const { kind, methods = [] } = filter.only ?? {};
      for (const frame of after(frames, last))
        if (kind === undefined || frame.kind === kind || methods.includes(frame.method ?? '')) yield frame;
    },
    frame: async (seq) => unwritten().find((frame) => frame.seq === seq) ?? log.frame(seq),
    async bounds() {
      const frames = unwritten();
      const stored = await log.bounds();
      const [first, last] = [stored?.first ?? frames[0]?.seq, Math.max(stored?.last ?? -1, frames.at(-1)?.seq ?? -1)];
      return first === undefined ? undefined : { first, last };
    },
    async search(text, options) {
      const frames = unwritten();
      const stored = await log.search(text, options);
      const found = after(frames, stored.at(-1) ?? options.afterSeq).filter((frame) =>
        [frame.type, frame.summary, frame.text ?? ''].some((held) => holdsText(held, text)),
      );
      return [...stored, ...found.map(({ seq }) => seq)].slice(-maxFound);
    },
  };
}

/** A frame without its text. */
export function rowOf(frame: Frame): FrameRow {
  const row: Frame = { ...frame };
  delete row.text;
  delete row.cut;
  return row;
}
