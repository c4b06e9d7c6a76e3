import { expect, test } from 'vitest';
import { parseToolRequests } from '../../../src-core/engine/parser.ts';
import type { ToolCallingProtocol } from '../../../src-core/protocols/base.ts';
import { request } from './execution.ts';
import { lineProtocol } from './lineProtocol.ts';

function protocolThat(parse: () => unknown): ToolCallingProtocol {
  return { ...lineProtocol, parseToolRequests: parse as ToolCallingProtocol['parseToolRequests'] };
}

function parse(protocol: ToolCallingProtocol, text = ''): { requests: unknown; errors: string[] } {
  const errors: string[] = [];
  const requests = parseToolRequests(text, protocol, {
    onError: (error, where) => errors.push(`${where}: ${String(error)}`),
  });
  return { requests, errors };
}

test('the protocol reads the text', () => {
  expect(parse(lineProtocol, 'Let me see.\ncall r1 lab_get n=1\nDone.')).toEqual({
    requests: [{ requestId: 'r1', toolName: 'lab_get', args: { n: '1' }, rawBlock: 'call r1 lab_get n=1' }],
    errors: [],
  });
});

test('a protocol that throws yields no calls, and the error is reported', () => {
  const broken = protocolThat(() => {
    throw new Error('bad text');
  });
  expect(parse(broken)).toEqual({ requests: [], errors: ['the protocol "line", at parsing: Error: bad text'] });
});

test.each([undefined, null, 'calls', { length: 1 }])('a protocol that returns %j yields no calls', (given) => {
  expect(parse(protocolThat(() => given))).toEqual({
    requests: [],
    errors: ['the protocol "line", at parsing: Error: it returned no list of requests'],
  });
});

test('entries that are not requests are left out and counted', () => {
  const good = request('lab_get');
  const odd = [null, 5, {}, { ...good, toolName: 7 }, { ...good, args: 'a=1' }, { ...good, rawBlock: undefined }];
  expect(parse(protocolThat(() => [...odd, good]))).toEqual({
    requests: [good],
    errors: ['the protocol "line", at parsing: Error: 6 of 7 entries are not requests'],
  });
});
