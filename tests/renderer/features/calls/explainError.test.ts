import { afterEach, expect, test } from 'vitest';

import { explainError } from '../../../../renderer/features/calls/explainError.ts';
import { loadEngineTexts } from '../../../../renderer/i18n/engine/wordEngine.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { changedError } from '../../../../src-core/engine/confirmCall.ts';
import { verdictOfCode } from '../../../../src-core/contract/stateWords.ts';
import { invalidArguments } from '../../../../src-core/schema/invalidArguments.ts';

afterEach(() => setLanguage('en'));

test('says in Chinese what each argument of a call has wrong', async () => {
  const issues = [
    { path: '/city', parameter: 'city', message: '"city" is required (string).' },
    { path: '/days', parameter: 'days', message: '9 is above the maximum, 7. Use 7.' },
  ];
  const { info } = invalidArguments('weather_query', { issues, unchecked: false });
  expect(explainError(info, { fromDevice: false }).why).toBe(info.message);
  setLanguage('zh');
  await loadEngineTexts();
  expect(explainError(info, { fromDevice: false }).why).toBe(
    '“weather_query”的参数不符合要求：缺少必填的“city”（string）；“days”：不能大于 7（实际为 9），可改用 7。',
  );
  const { info: single } = invalidArguments('weather_query', { issues: issues.slice(1), unchecked: false });
  expect(explainError(single, { fromDevice: false }).why).toBe(
    '“weather_query”的参数“days”不符合要求：不能大于 7（实际为 9），可改用 7。',
  );
});

test('tells the author of a module how to offer a method to models', () => {
  const error = { code: 'not-agent-callable' as const, message: 'x' };
  expect(explainError({ ...error, details: { kind: 'module' } }, { fromDevice: false }).next).toContain(
    'Set agentCallable: true',
  );
  expect(explainError({ ...error, details: { kind: 'mcp' } }, { fromDevice: false }).next).not.toContain(
    'agentCallable',
  );
});

test('gives the reason of a refusal, and does not advise the user to approve the call', () => {
  const message = 'The user refused this call: not now';
  const details = { refusedBy: 'user' };
  const { why, next } = explainError({ code: 'not-authorized', message, details }, { fromDevice: false });
  expect({ why, next }).toEqual({ why: message, next: '' });
  expect(explainError({ code: 'not-authorized', message }, { fromDevice: false }).next).not.toBe('');
});

test('leaves the advice on an error of a tool to the message of the tool', () => {
  const message = 'Invoice A-99 does not exist.';
  for (const details of [{}, { rpcCode: -32602, reason: message }])
    expect(explainError({ code: 'tool-error', message, details }, { fromDevice: false })).toMatchObject({
      why: message,
      next: '',
    });
});

test('says in Chinese how a longer answer of a server is accepted', async () => {
  const message =
    'The tool has run, but its answer is longer than 1 MiB. To accept it, increase “Longest MCP message” in Settings and restart the server.';
  setLanguage('zh');
  await loadEngineTexts();
  const error = { code: 'result-too-large' as const, message, details: { setting: 'mcpMessageMib' } };
  expect(explainError(error, { fromDevice: false })).toMatchObject({
    why: '工具已运行，但应答超过 1 MiB。如需接收，请在“设置”中调大“MCP 消息大小上限”，然后重启服务器。',
    next: '',
  });
});

test('does not call a call unapproved whose tool changed before it ran', () => {
  const { info } = changedError('lab');
  const { what, why, next } = explainError(info, { fromDevice: false });
  expect(verdictOfCode(info.code)).toBe('not-called');
  expect({ what, why, next }).toEqual({
    what: 'The tool changed before the call ran',
    why: 'It was changed or replaced while the call waited.',
    next: 'Check what it does now, then run again.',
  });
});

test('names what to allow after a server asked for what is not allowed for it', () => {
  for (const extra of [{}, { rpcCode: -32603, reason: 'no' }]) {
    const error = {
      code: 'tool-error' as const,
      message: 'no',
      details: { notAllowed: 'sampling/createMessage', ...extra },
    };
    expect(explainError(error, { fromDevice: false }).next).toContain('Access > May ask for replies from a model');
  }
});

test('tells an error of JSON-RPC and a lost MCP server from an error of the tool', async () => {
  const rpc = {
    code: 'tool-error' as const,
    message: 'Error -32050 from the server: The relay is stuck',
    details: { rpcCode: -32050, reason: 'The relay is stuck' },
  };
  expect(explainError(rpc, { fromDevice: false })).toMatchObject({
    what: 'Error -32050 from the server',
    why: 'The relay is stuck',
  });
  const lost = {
    code: 'disconnected' as const,
    message: 'The server pin ended during the call (exit code 7).',
    details: { kind: 'mcp', sourceId: 'a', lost: 'process' },
  };
  expect(explainError(lost, { fromDevice: false })).toMatchObject({
    what: 'The server ended during the call',
    why: lost.message,
    next: 'Find out why in Servers, and start it there.',
  });
  const session = { ...lost, details: { ...lost.details, lost: 'session' } };
  expect(explainError(session, { fromDevice: false }).next).toMatch(/^A new session is opened\./);
  setLanguage('zh');
  await loadEngineTexts();
  expect(explainError(lost, { fromDevice: false }).why).toBe('服务器 pin 在调用期间退出（退出码 7）。');
});

test('names a wrong id as the first cause of a timeout, and what to look at', () => {
  const details = { timeoutMs: 30_000, unmatchedFrames: 1, lastUnmatched: 'its id is -1' };
  const { causes, next } = explainError({ code: 'timeout', message: 'x', details }, { fromDevice: true });
  expect(causes[0]).toBe(
    'The frame that matches no request is probably the answer: its id must be that of the request.',
  );
  expect(next).toBe('Compare the id of the frame with that of the request in Wire.');
});

test('explains an unreadable frame of a call that timed out by the frame, which has no id to compare', () => {
  const details = { timeoutMs: 30_000, unmatchedFrames: 1, lastUnmatched: 'it is cut off', frame: '{', fault: 'cut' };
  const { what, causes, next } = explainError({ code: 'timeout', message: 'x', details }, { fromDevice: true });
  expect(what).toBe('The call timed out');
  expect(causes[0]).toBe('The buffer for the answer is too small.');
  expect(next).toMatch(/^Wire shows the frame as received\./);
});

test('does not explain a lost node of a cluster, or a call that it refused, as a device that disconnected', () => {
  const explain = (message: string, node: string) =>
    explainError({ code: 'disconnected', message, details: { node } }, { fromDevice: true });
  const lost = 'The node "lab-2" has ended. The call may have run.';
  expect(explain(lost, 'lost')).toMatchObject({ what: 'The node of the device was lost', why: lost, causes: [] });
  const refused = 'The node "lab-2" cannot be reached. Nothing ran.';
  expect(explain(refused, 'refused')).toMatchObject({ what: 'The call did not reach the device', causes: [] });
});
