import { afterEach, expect, it } from 'vitest';

import { gatewayLogSource } from '../../../../renderer/features/gateway/gatewayLogSource.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import type { FrameRow, LogName } from '../../../../src-core/contract/types.ts';
import type { Client } from '../../../../src-core/rpc/client.ts';

afterEach(() => setLanguage('en'));
const summary = (row: Partial<FrameRow>, name?: LogName): string | undefined =>
  gatewayLogSource({} as Client, name).layOut({ kind: 'text', connection: 'connection-1', ...row } as FrameRow)
    ?.summary;
const ofOne: LogName = { source: 'gateway', connection: 'connection-1' };

it('words the outcome of a turn in the language of the window', () => {
  const turn = (outcome: string) => summary({ kind: 'note', type: 'turn', summary: `turn ${outcome}` }, ofOne);
  expect(turn('answered')).toBe('Answered');
  setLanguage('zh');
  expect(turn('answered')).toBe('已回答');
  expect(turn('disconnected')).toBe('客户端已断开');
  expect(turn('LLM_ERROR')).toBe('LLM_ERROR');
});

it('words what the engine says of a message also below the name of its client', () => {
  const registered = { type: 'tools_registered', summary: 'tools_registered 2 tools registered' };
  setLanguage('zh');
  expect(summary(registered)).toMatch(/ · 已注册 2 个工具$/);
  const said = { type: 'llm_response', summary: 'llm_response answered' };
  expect(summary(said, ofOne)).toBe('answered');
});

it('follows a change of the language', () => {
  setLanguage('zh');
  const row = gatewayLogSource({} as Client).layOut({
    kind: 'open',
    connection: 'connection-1',
    type: 'open',
    summary: 'from 127.0.0.1',
  } as FrameRow);
  expect(row?.summary).toMatch(/来自 127\.0\.0\.1$/);
  setLanguage('en');
  expect(row?.summary).toMatch(/from 127\.0\.0\.1$/i);
});
