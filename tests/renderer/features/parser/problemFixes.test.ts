/** The fix of a name that means no method. */
import { expect, it } from 'vitest';

import { applyEdits } from '../../../../renderer/features/parser/applyEdits.ts';
import { problemsOf } from '../../../../renderer/features/parser/problemsOf.ts';
import type { ReplyDialect } from '../../../../src-core/contract/types.ts';
import { readReply } from '../../../../src-core/protocols/readReply.ts';

const nearest = 'say_"hi"\\';

/** The text with the fix of its only problem, for a call whose name is not registered. */
function fixed(text: string, dialect: ReplyDialect): string {
  const read = readReply(text, { dialect });
  const [request] = read.requests;
  const { toolName, requestId } = request!;
  const error = { code: 'unknown-tool' as const, message: 'Unknown tool.', candidates: [nearest] };
  const call = {
    request: 0,
    requestId,
    toolName,
    arguments: [],
    argsJson: '{}',
    resolution: { ok: false as const, error },
  };
  const [problem, ...others] = problemsOf({ ...read, calls: [call], text }, 'en');
  expect(others).toEqual([]);
  return problem?.fix === undefined ? text : applyEdits(text, problem.fix.edits);
}

it.each([
  ['alone', '{"name":"say_hi","arguments":{"x":1}}'],
  ['in tags', '<tool_call>{"name":"say_hi","arguments":{"tool_name":"mine"}}</tool_call>'],
  ['in a message', '{"tool_calls":[{"function":{"name":"say_hi","arguments":"{}"}}]}'],
])('a name is written as JSON into a JSON call, and an argument called tool_name stays: %s', (_, text) => {
  const after = fixed(text, 'json');
  const [before, made] = [text, after].map((each) => readReply(each, { dialect: 'json' }).requests[0]!);
  expect(made!.toolName).toBe(nearest);
  expect(made!.args).toEqual(before!.args);
});

it('a name is written as it is into a VCP block', () => {
  const text = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」say_hi「末」\n<<<[END_TOOL_REQUEST]>>>';
  expect(fixed(text, 'standard')).toBe(text.replace('say_hi', nearest));
});
