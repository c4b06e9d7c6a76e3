import { expect, test } from 'vitest';

import { isOrigin } from '../../../src-core/base/isOrigin.ts';

test.each([
  'http://localhost:8080',
  'https://app.example.org',
  'http://[::1]:5173',
  'capacitor://localhost',
  'chrome-extension://abcdefgh',
])('%s is an origin', (text) => {
  expect(isOrigin(text)).toBe(true);
});

test.each([
  '',
  'localhost:99',
  'app.example.org',
  'https://a.example/x',
  'https://a.example/',
  'https://A.example',
  'http://a.example:80',
  'https://user@a.example',
  'https://*.example.org',
  'https://a.example,https://b.example',
  'javascript:alert(1)',
  'file:///index.html',
  `https://${'a'.repeat(300)}`,
])('%s is not an origin', (text) => {
  expect(isOrigin(text)).toBe(false);
});
