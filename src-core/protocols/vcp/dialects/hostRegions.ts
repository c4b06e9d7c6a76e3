import { isControlField } from '../control.ts';
import { serialNumber } from '../serial.ts';
import type { TextRange, VcpRegionKind } from '../../../base/replyTypes.ts';
import type { VcpField, VcpRegion } from '../types.ts';

/** Builds regions that tile the text, from what a host sees of it. Ranges come in order; what overlaps is cut. */
export class HostRegions {
  readonly regions: VcpRegion[] = [];
  private position = 0;
  private readonly removed: readonly TextRange[];
  private nextRemoved = 0;

  /** `removed` is reasoning that the host takes out first. */
  constructor(removed: readonly TextRange[] = []) {
    this.removed = removed;
  }

  /** All up to `end` is of this kind, but for reasoning in it. */
  upTo(end: number, kind: VcpRegionKind, block?: number): void {
    for (;;) {
      const next = this.removed[this.nextRemoved];
      if (next === undefined || next.start >= end) break;
      this.push(next.start, kind, block);
      this.push(next.end, 'reasoning', undefined);
      this.nextRemoved++;
    }
    this.push(end, kind, block);
  }

  /** A block with its fields, which lie in it in order. `markers` are the lengths of START and END. */
  block(range: TextRange, markers: { start: number; end: number }, fields: readonly VcpField[], index: number): void {
    this.upTo(range.start, 'prose');
    this.upTo(range.start + markers.start, 'marker', index);
    for (const { key, start, end, keyRange, valueRange } of fields) {
      this.upTo(start, 'skipped', index);
      this.upTo(keyRange.end, 'key', index);
      this.upTo(valueRange.start, 'delimiter', index);
      this.upTo(valueRange.end, kindOf(key), index);
      this.upTo(end, 'delimiter', index);
    }
    this.upTo(range.end - markers.end, 'skipped', index);
    this.upTo(range.end, 'marker', index);
  }

  private push(end: number, kind: VcpRegionKind, block: number | undefined): void {
    if (end <= this.position) return;
    const region = { kind, start: this.position, end };
    this.regions.push(block === undefined ? region : { ...region, block });
    this.position = end;
  }
}

function kindOf(key: string): VcpRegionKind {
  if (key === 'tool_name' || key === 'command' || serialNumber(key) !== undefined) return 'name';
  return isControlField(key) ? 'control' : 'value';
}
