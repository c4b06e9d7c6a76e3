import { expect, test } from 'vitest';

import { createWording } from '../../../renderer/i18n/engine/createWording.ts';
import { engineTexts } from '../../../renderer/i18n/engine/zh/index.ts';
import { createMask } from '../../../src-core/features/models/openAiCompatible/createMask.ts';
import { explainFailure } from '../../../src-core/features/models/openAiCompatible/explainFailure.ts';
import { ExchangeRecorder } from '../../../src-core/features/models/openAiCompatible/exchangeRecorder.ts';
import { describeFailure } from '../../../src-core/realtime/connection/describeRefusal.ts';
import { systemClock } from '../../../src-core/base/clock.ts';
import { localNetworkAdvice } from '../../../src-core/base/localNetworkAdvice.ts';

/** What Node throws for a connection that macOS refused. */
function unreachable(address?: string): Error {
  return Object.assign(new Error(`connect EHOSTUNREACH ${address ?? ''}:1234`), {
    code: 'EHOSTUNREACH',
    ...(address !== undefined && { address }),
  });
}

const remedy = /System Settings → Privacy & Security → Local Network\.$/;

test.each([
  '10.1.2.3',
  '172.16.0.9',
  '172.31.255.1',
  '192.168.1.20',
  '169.254.7.7',
  'fd00::1',
  'fe80::1%en0',
  '::ffff:192.168.1.20',
])('on macOS a connection to %s that is unreachable may have been refused', (address) => {
  expect(localNetworkAdvice(unreachable(address), { hostname: 'box', platform: 'darwin' })).toMatch(remedy);
});

test.each(['8.8.8.8', '172.32.0.1', '127.0.0.1', '2606:4700::1111'])('%s is not on the local network', (address) => {
  expect(localNetworkAdvice(unreachable(address), { hostname: 'box.local', platform: 'darwin' })).toBeUndefined();
});

test.each([
  ['nas.local', true],
  ['[fe80::1]', true],
  ['192.168.1.20', true],
  ['example.com', false],
])('without an address in the error the host name decides: %s', (hostname, expected) => {
  const advice = localNetworkAdvice(unreachable(), { hostname, platform: 'darwin' });
  expect(advice !== undefined).toBe(expected);
});

test('it is found among causes and among the addresses that Node tried', () => {
  const gathered = new AggregateError([new Error('other'), unreachable('192.168.1.20')]);
  const error = new TypeError('fetch failed', { cause: gathered });
  expect(localNetworkAdvice(error, { hostname: 'box', platform: 'darwin' })).toMatch(remedy);
});

test('other systems and other errors have no such remedy', () => {
  const options = { hostname: '192.168.1.20' };
  expect(localNetworkAdvice(unreachable('192.168.1.20'), { ...options, platform: 'linux' })).toBeUndefined();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(localNetworkAdvice(refused, { ...options, platform: 'darwin' })).toBeUndefined();
});

test.each(['chat completion', 'list of models'] as const)('a %s that fails so names the setting', async (wanted) => {
  const error = new TypeError('fetch failed', { cause: unreachable('192.168.1.20') });
  const mask = createMask(undefined, {});
  const recorder = new ExchangeRecorder({ fetch: () => Promise.reject(error), mask, clock: systemClock });
  await recorder.fetch('http://192.168.1.20:1234/v1/models').catch(() => undefined);
  const told = explainFailure(error, { recorder, mask, wanted, platform: 'darwin' });
  expect(told).toMatchObject({ code: 'unreachable', details: { cause: 'EHOSTUNREACH' } });
  expect(told.message).toMatch(remedy);
  const chinese = createWording(engineTexts)(told.message);
  expect(chinese).toContain('无法连接 http://192.168.1.20:1234/v1/models 的模型服务器');
  expect(chinese).toContain('系统设置 → 隐私与安全性 → 本地网络');
  const elsewhere = explainFailure(error, { recorder, mask, wanted, platform: 'win32' });
  expect(elsewhere.message).toMatch(/Check that it is running and that the address is correct\.$/);
  expect(createWording(engineTexts)(elsewhere.message)).toContain('请检查服务器是否正在运行，以及地址是否正确。');
});

test('a realtime server that fails so names the setting', () => {
  const { message } = describeFailure(unreachable('192.168.1.20'), '192.168.1.20:8000', 'darwin');
  expect(message).toMatch(/^No connection to 192\.168\.1\.20:8000: connect EHOSTUNREACH/);
  expect(message).toMatch(remedy);
  expect(createWording(engineTexts)(message)).toContain('系统设置 → 隐私与安全性 → 本地网络');
  const elsewhere = describeFailure(unreachable('192.168.1.20'), '192.168.1.20:8000', 'linux').message;
  expect(createWording(engineTexts)(elsewhere)).toContain('请检查地址和网络。');
});
