import { describe, expect, test } from 'vitest';

import { maskMember, maskSecrets, maskSecretsInJson } from '../../../src-core/base/maskSecrets.ts';

const key = 'a8Kd02Lq7Zx';

describe('a secret is masked', () => {
  test.each([
    [`{"apiKey":"${key}","x":1}`, '{"apiKey":"***","x":1}'],
    [`{"client_secret" : "${key}"}`, '{"client_secret" : "***"}'],
    [`unknown token: {"method":"x","secret":"${key}"}`, 'unknown token: {"method":"x","secret":"***"}'],
    [`password={${key}`, 'password=***'],
    [`{"access_token":"a\\"${key}"}`, '{"access_token":"***"}'],
    [`{"x-api-key":"${key}`, '{"x-api-key":"***"'],
    [`{"token":"${key}\\`, '{"token":"***"'],
    [`{"text":"{\\"token\\":\\"${key}\\",\\"x\\":1}"}`, '{"text":"{\\"token\\":\\"***\\",\\"x\\":1}"}'],
    [`"{\\"token\\":\\"a\\\\\\"${key}\\",\\"x\\":1}"`, '"{\\"token\\":\\"***\\",\\"x\\":1}"'],
    [JSON.stringify(JSON.stringify(JSON.stringify({ secret: `a"\\${key}`, x: 1 }))), undefined],
    [`{ apiKey: '${key} ${key}', x: 1 }`, "{ apiKey: '***', x: 1 }"],
    [`GET /v1?access_token=${key}&x=1`, 'GET /v1?access_token=***&x=1'],
    [`GET /v1?x=1&api_key=${key} HTTP/1.1`, 'GET /v1?x=1&api_key=*** HTTP/1.1'],
    [`GET /v1?key=AIza${key}`, 'GET /v1?key=***'],
    [`key=AIza${key}`, 'key=AIza***'],
    [`Authorization: Basic ${key}==\nHost: x`, 'Authorization: ***\nHost: x'],
    [`Proxy-Authorization: ${key}\nHost: x`, 'Proxy-Authorization: ***\nHost: x'],
    [`x-api-key: ${key}\nHost: x`, 'x-api-key: ***\nHost: x'],
    [`X_API_KEY = ${key}`, 'X_API_KEY = ***'],
    [`password=${key}/\\${key}`, 'password=***'],
    [`password="${key} ${key}" x`, 'password="***" x'],
    [`{"text":"password=${key}\\" x"}`, '{"text":"password=***\\" x"}'],
    [`the key gsk_${key} was refused`, 'the key gsk_*** was refused'],
    [`the key sk-proj-${key} was refused`, 'the key sk-*** was refused'],
    [`http://me:${key}@proxy:8080/x`, 'http://***@proxy:8080/x'],
    [`http://me:${key}/a@${key}@proxy`, 'http://***@proxy'],
    [`http://me:1/${key}@proxy`, 'http://***@proxy'],
    [`http://me:${key}/@proxy`, 'http://***@proxy'],
    [`http://${key}@proxy`, 'http://***@proxy'],
    [`"http:\\/\\/me:${key}@proxy"`, '"http:\\/\\/***@proxy"'],
  ])('%s', (text, expected) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain(key);
    expect(maskSecrets(masked)).toBe(masked);
    if (expected !== undefined) expect(masked).toBe(expected);
  });
});

test('the text around a secret that is JSON inside JSON stays readable', () => {
  const text = JSON.stringify(JSON.stringify(JSON.stringify({ secret: 'a"\\b', x: 1 })));
  const shown: unknown = JSON.parse(maskSecrets(text));
  expect(JSON.parse(JSON.parse(String(shown)) as string)).toEqual({ secret: '***', x: 1 });
});

describe('JSON stays JSON', () => {
  test.each([
    ['Bearer, before a quote', `say "Bearer ${key}" now`, 'say "Bearer ***" now'],
    ['Authorization, before a quote', `say "Authorization: Basic ${key}" now`, 'say "Authorization: ***" now'],
    ['a query, before a quote', `"http://host/?key=${key}" now`, '"http://host/?key=***" now'],
    ['a backslash at the end', `password=${key}\\`, undefined],
    ['a key after a line end', `the key:\nsk-${key}`, 'the key:\nsk-***'],
    ['a Bearer token after a tab', `the key:\tBearer ${key}`, 'the key:\tBearer ***'],
  ])('%s', (_, text, expected) => {
    const read = JSON.parse(maskSecrets(JSON.stringify({ text, x: 1 }))) as { text: string; x: number };
    expect(read.x).toBe(1);
    expect(read.text).not.toContain(key);
    if (expected !== undefined) expect(read.text).toBe(expected);
  });

  test.each([`token: '${key}`, `{"secret":"${key}`, { api_key: key, list: [`Bearer ${key}`], n: 1, no: null }])(
    'written with maskMember: %o',
    (value) => {
      const text = JSON.stringify({ value, x: 1 }, maskMember);
      expect(text).not.toContain(key);
      expect(JSON.parse(text)).toMatchObject({ x: 1 });
    },
  );

  test.each([
    [`{"delta": "{\\"api_key\\":\\"${key}", "n": 1.0}`, '{"delta":"{\\"api_key\\":\\"***\\"","n":1.0}'],
    [`{"delta": "no secret",  "n": 1.0}`, `{"delta": "no secret",  "n": 1.0}`],
    [`cut off: {"token":"${key}`, 'cut off: {"token":"***"'],
    [`${'['.repeat(50_000)}"Bearer ${key}"${']'.repeat(50_000)}`, undefined],
  ])('maskSecretsInJson %#', (text, expected) => {
    const masked = maskSecretsInJson(text);
    expect(masked).not.toContain(key);
    if (expected !== undefined) expect(masked).toBe(expected);
  });

  test('maskMember masks by name and in text, and changes nothing else', () => {
    const value = { authorization: key, a: [{ Token: key, tokens: '12', token: 5, b: 'as it is' }] };
    expect(JSON.parse(JSON.stringify(value, maskMember))).toEqual({
      authorization: '***',
      a: [{ Token: '***', tokens: '12', token: 5, b: 'as it is' }],
    });
  });
});

test.each([
  '{"max_tokens":100,"tokens":"12","type":"token","data":"x"}',
  '    at run (file:///app/node_modules/@scope/name/index.js:1:2)',
  'http://127.0.0.1:5173/@vite/client',
  'http://[::1]:5173/@vite/client',
  'https://example.com/users/me@example.com',
  'The token is missing.',
])('%s is not changed', (text) => {
  expect(maskSecrets(text)).toBe(text);
});
