import { describe, expect, it } from 'vitest';

import { hasDuration, neverWentOut, verdictOf } from '../../../../renderer/features/calls/verdictOf.ts';
import { argumentMemoryOf } from './argumentMemoryOf.ts';
import { callReport } from '../../../../renderer/features/executor/result/callReport.ts';
import { fromRun } from '../../../../renderer/features/executor/result/shownCall.ts';
import { mediaUrl } from '../../../../renderer/features/calls/result/mediaUrl.ts';
import { percentile } from '../../../../renderer/features/executor/result/percentile.ts';
import type { CallRecord, ToolErrorCode, ToolExecutionResult } from '../../../../src-core/contract/types.ts';

const success = (result: string): ToolExecutionResult => ({
  requestId: '1',
  toolName: 't',
  status: 'success',
  result,
  durationMs: 1,
});
const failure = (code: ToolErrorCode): ToolExecutionResult => ({
  ...success('no'),
  status: 'error',
  error: { code, message: 'no' },
});

describe('verdicts', () => {
  it.each<[ToolErrorCode, string]>([
    ['cancelled', 'cancelled'],
    ['timeout', 'timed-out'],
    ['disconnected', 'disconnected'],
    ['interrupted', 'interrupted'],
    ['tool-error', 'error'],
    ['result-too-large', 'error'],
    ['invalid-arguments', 'not-called'],
    ['unknown-tool', 'not-called'],
    ['not-authorized', 'refused'],
  ])('%s is shown as %s', (code, verdict) => {
    expect(verdictOf(failure(code))).toBe(verdict);
  });

  it('a success that says itself that it failed is a soft failure', () => {
    expect(verdictOf(success('true'))).toBe('ok');
    expect(verdictOf({ ...success('false'), softFailure: { value: 'false' } })).toBe('soft-failure');
  });

  it('a success whose data does not match the outputSchema is a mismatch', () => {
    expect(verdictOf({ ...success('{}'), outputIssues: [] })).toBe('ok');
    const outputIssues = [{ path: '/grams', parameter: 'grams', message: 'It is required.' }];
    expect(verdictOf({ ...success('{}'), outputIssues })).toBe('mismatch');
  });
});

it('a call that has just run began when the history says', () => {
  const request = { qualifiedName: 'a_b', argsJson: '{}', timeoutMs: 1_000, origin: 'executor' as const };
  const done = { phase: 'done' as const, callId: '1', startedAt: 999, request, result: success('x') };
  expect(fromRun(done, new Map())?.startedAt).toBe(999);
  const call = { callId: '1', startedAt: 1_001 } as CallRecord;
  expect(fromRun(done, new Map([['1', call]]))?.startedAt).toBe(1_001);
});

describe('a call that was interrupted', () => {
  const interrupted = { ...failure('interrupted'), durationMs: 0 };

  it('has no known duration, and may have gone out', () => {
    expect(hasDuration(interrupted)).toBe(false);
    expect(neverWentOut(interrupted)).toBe(false);
    expect(neverWentOut({ ...failure('unknown-tool'), durationMs: 0 })).toBe(true);
    expect(hasDuration({ ...success('x'), durationMs: 0 })).toBe(true);
  });

  it('is copied without a duration', () => {
    const call = { callId: '1', qualifiedName: 'a_b', argsJson: '{}', startedAt: 0, timeoutMs: 1_000 };
    expect(callReport({ ...call, result: interrupted }, 'Board')).toContain('- ended: error\n- error: interrupted');
    expect(callReport({ ...call, result: success('x') }, 'Board')).toContain('- ended: success, 1 ms');
    const short = { ...success('x'), durationMs: 2.6 };
    expect(callReport({ ...call, result: short }, 'Board')).toContain('- ended: success, 2.6 ms');
  });
});

describe('percentile', () => {
  it('takes the nearest rank', () => {
    expect(percentile([], 0.5)).toBeUndefined();
    expect(percentile([7], 0.95)).toBe(7);
    expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(
      percentile(
        Array.from({ length: 100 }, (_, at) => at + 1),
        0.95,
      ),
    ).toBe(95);
  });
});

describe('media from a tool', () => {
  const image = (mimeType: string, data = 'aGk=') => mediaUrl({ type: 'image', mimeType, data });
  it('is shown if its type draws or plays and nothing else', () => {
    expect(image('image/PNG; charset=x', 'aG\nk=')).toBe('data:image/png;base64,aGk=');
    expect(image('image/svg+xml')).toBeUndefined();
    expect(image('text/html')).toBeUndefined();
    expect(image('image/png', '"><script>')).toBeUndefined();
    expect(mediaUrl({ type: 'audio', mimeType: 'image/png', data: 'aGk=' })).toBeUndefined();
    expect(mediaUrl({ type: 'audio', mimeType: 'audio/ogg', data: 'aGk=' })).toBe('data:audio/ogg;base64,aGk=');
  });
});

describe('a call as Markdown', () => {
  it('keeps an answer with fences in it inside its fence', () => {
    const call = {
      callId: '1',
      qualifiedName: 'a_b',
      argsJson: '{}',
      startedAt: 0,
      timeoutMs: 1_000,
      result: success('```\nx\n````'),
    };
    const report = callReport(call, 'Board');
    expect(report).toContain('`````\n```\nx\n````\n`````');
    expect(report).toContain('- time allowed: 1 s');
  });
});

describe('remembered arguments', () => {
  it('come back by method, the oldest going first', () => {
    const memory = argumentMemoryOf(
      Array.from({ length: 70 }, (_, at) => [`m${String(at)}`, `{"n": ${String(at)}}`] as const),
    );
    expect(memory.recall('m69')).toBe('{"n": 69}');
    expect(memory.recall('m0')).toBeUndefined();
    expect(memory.size()).toBeLessThan(49_000);
  });
  it('do not grow over what the settings take', () => {
    const memory = argumentMemoryOf(
      Array.from({ length: 20 }, (_, at) => [`m${String(at)}`, 'x'.repeat(7_000)] as const),
    );
    expect(memory.recall('m19')).toHaveLength(7_000);
    expect(memory.recall('m5')).toBeUndefined();
    expect(memory.size()).toBeLessThan(49_000);
  });
  it('survive whatever was saved', () => {
    expect(argumentMemoryOf([], { a: 1 }).recall('a')).toBeUndefined();
    expect(argumentMemoryOf([['a', '{}']], [1, ['b'], ['a', 5], null]).recall('a')).toBe('{}');
  });
});
