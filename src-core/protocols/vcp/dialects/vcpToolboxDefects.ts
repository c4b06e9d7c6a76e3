import { duplicateKeyDiagnostic } from '../fieldDiagnostics.ts';
import type { TextRange, VcpDiagnostic, VcpField } from '../types.ts';
import { bodyDefects } from './bodyDefects.ts';
import { hostDefect, type HostField } from './hostReading.ts';
import type { StrippedText } from './strippedText.ts';
import type { HostBlock } from './vcpToolboxBlocks.ts';

/** What VCPToolBox does to a block that its user would not expect (spec/vcp.md §4). */
export function vcpToolboxDefects(found: {
  stripped: StrippedText;
  block: HostBlock;
  /** In offsets of the stripped text. */
  read: readonly HostField[];
  /** The same, in offsets of the source. */
  fields: readonly VcpField[];
}): VcpDiagnostic[] {
  const { stripped, block, read, fields } = found;
  const { text } = stripped;
  const toSource = ({ start, end }: TextRange): TextRange => ({
    start: stripped.toSource(start),
    end: stripped.toSourceEnd(end),
  });
  const { bodyStart, bodyEnd } = block;
  const diagnostics = bodyDefects({ text, bodyStart, bodyEnd, fields: read, winner: 'last', toSource });
  const seen = new Map<string, VcpField>();
  fields.forEach((field, index) => {
    const { key, keyRange, valueRange } = field;
    const { keyStart = 0, valueStart = 0, valueEnd = 0 } = read[index] ?? {};
    const before = text[keyStart - 1];
    if (before === '-' || before === '.') {
      diagnostics.push(
        hostDefect(keyRange, `The host takes “${key}” for the key: what stands before the “${before}” is lost.`),
      );
    }
    if (key === '__proto__') diagnostics.push(hostDefect(keyRange, 'The host drops a key of this name.'));
    if (valueRange.end - valueRange.start > valueEnd - valueStart) {
      diagnostics.push(
        hostDefect(valueRange, 'The host deletes the reasoning tags in this value, and the text between them.'),
      );
    }
    const earlier = seen.get(key);
    if (earlier !== undefined) diagnostics.push(duplicateKeyDiagnostic(key, earlier, field));
    seen.set(key, field);
  });
  return diagnostics;
}
