import { refusedSpans, type RefusedSpan } from '../../../../src-core/protocols/blockSpans.ts';
import type { VcpProblem, VcpReading } from './vcpContext.ts';

/** A part of the text that looks like a call and is not run, with what is reported of it. */
export interface RefusedBlock<Problem> extends RefusedSpan<Problem> {
  /** The tool that it names, if one can be told. */
  name: string | undefined;
}

/** How far into a block its tool's name is looked for. */
const maxLook = 2_000;

/** What looks like a call and is not run, in the order of the text. */
export function refusedBlocks<Problem extends Pick<VcpProblem, 'code' | 'severity' | 'start' | 'end'>>(
  reading: VcpReading,
  problems: readonly Problem[],
): RefusedBlock<Problem>[] {
  return refusedSpans(reading, problems).map((span) => {
    const { start, end } = span;
    return { ...span, name: toolNameIn(reading.text.slice(start, Math.min(end, start + maxLook))) };
  });
}

/** The tool that is named in text that is not a call. */
function toolNameIn(text: string): string | undefined {
  const named = /(?:tool_name\W{0,4}[:：]\s*.始\w{0,12}.|"name"\s*:\s*")\s*([^「」『』{}"\n]{1,80})/;
  // Characters that take no room on the screen.
  return named.exec(text.replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, ''))?.[1]?.trim();
}
