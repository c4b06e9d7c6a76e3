import { parseJsonCalls } from './json/parseJsonCalls.ts';
import { refusedSpans } from './blockSpans.ts';
import type { ReplyDiagnostic, TextDiagnostic, TextRange, VcpDialect } from '../base/replyTypes.ts';
import { parseVcp } from './vcp/parseVcp.ts';

/** Which protocol a text uses, and why. */
export interface DetectedProtocol {
  protocol: 'vcp' | 'json';
  /** A sentence. */
  reason: string;
  /** The calls of the other protocol, which are not run, and those that only show a call; those that are data of a call are none. */
  diagnostics: ReplyDiagnostic[];
}

export interface DetectProtocolOptions {
  /** The VCP dialect; `standard` if absent. */
  dialect?: VcpDialect;
}

const names = { vcp: 'VCP', json: 'JSON' } as const;

/**
 * Recognises the protocol of a text for `auto` (issue 3, item 3): the one whose call comes first among those that would
 * run; without any, the one with the first call that is broken, then the one with the first that is only shown; VCP if
 * there are no calls. Linear, and never throws.
 */
export function detectProtocol(text: string, { dialect }: DetectProtocolOptions = {}): DetectedProtocol {
  const options = { newId: () => '' };
  const readings = {
    vcp: parseVcp(text, { ...options, ...(dialect !== undefined && { dialect }) }),
    json: parseJsonCalls(text, options),
  };
  const runs = {
    vcp: first(readings.vcp.requests.map(({ range }) => range)),
    json: first(readings.json.requests.map(({ range }) => range)),
  };
  if (runs.vcp === Infinity && runs.json === Infinity) return withoutCalls(readings);
  const protocol = runs.json < runs.vcp ? 'json' : 'vcp';
  const other = protocol === 'json' ? 'vcp' : 'json';
  const requests = readings[protocol].requests.map(({ range }) => range);
  const { diagnostics } = readings[other];
  // Those that are broken, too.
  const broken = refusedSpans<TextDiagnostic>(
    readings[other],
    diagnostics.filter(({ severity }) => severity === 'error'),
  );
  const left = outside(
    [...readings[other].requests.map(({ range }) => range), ...broken].sort((a, b) => a.start - b.start),
    requests,
  );
  const isAside = ({ code }: TextDiagnostic): boolean => setAside.has(code);
  const aside = outside(
    diagnostics.filter(isAside),
    [...requests, ...left, ...readings[protocol].diagnostics.filter(isAside)].sort((a, b) => a.start - b.start),
  );
  const both = left.length > 0;
  return {
    protocol,
    reason: both
      ? `The text holds calls of VCP and of JSON; the first is one of ${names[protocol]}.`
      : `The calls in the text are written in ${names[protocol]}.`,
    diagnostics: [...left.map((range) => otherProtocol(range, other, protocol)), ...aside],
  };
}

function first(ranges: readonly TextRange[]): number {
  return ranges.reduce((least, { start }) => Math.min(least, start), Infinity);
}

/** Nothing would run: what looks like a call tells, a broken one before one that is only shown. */
function withoutCalls(readings: Record<'vcp' | 'json', { diagnostics: readonly TextDiagnostic[] }>): DetectedProtocol {
  for (const [word, counts] of [
    ['broken', ({ severity }: TextDiagnostic) => severity === 'error'],
    ['set-aside', ({ code }: TextDiagnostic) => !openEnds.has(code)],
  ] as const) {
    const [vcp, json] = [readings.vcp, readings.json].map(({ diagnostics }) => first(diagnostics.filter(counts)));
    if (vcp === json) continue;
    const protocol = Number(json) < Number(vcp) ? 'json' : 'vcp';
    return { protocol, reason: `The first call in the text is a ${word} one of ${names[protocol]}.`, diagnostics: [] };
  }
  return { protocol: 'vcp', reason: 'The text holds no call.', diagnostics: [] };
}

/** What is said of a text without a call, too. */
const openEnds: ReadonlySet<string> = new Set(['unclosed-fence', 'unclosed-reasoning', 'unclosed-block', 'stray-end']);

/** What says that a call is only shown. */
const setAside: ReadonlySet<string> = new Set(['fenced', 'in-reasoning', 'echoed-result', 'inline-call']);

/** The ranges that overlap none of the others; both are in the order of the text. */
function outside<Range extends TextRange>(ranges: readonly Range[], others: readonly TextRange[]): Range[] {
  let at = 0;
  return ranges.filter(({ start, end }) => {
    while ((others[at]?.end ?? Infinity) <= start) at++;
    return (others[at]?.start ?? Infinity) >= end;
  });
}

function otherProtocol(
  { start, end }: TextRange,
  written: 'vcp' | 'json',
  read: 'vcp' | 'json',
): TextDiagnostic<'other-protocol'> {
  const message = `This call is written in ${names[written]}, but the text is read as ${names[read]}, so the call does not run.`;
  return { code: 'other-protocol', severity: 'error', start, end, message };
}
