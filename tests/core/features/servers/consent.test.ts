/** What the consent sheet shows of a change since the last approval. */
import { afterEach, expect, test, vi } from 'vitest';

import { expandEndpoint } from '../../../../src-core/features/servers/configFiles/expandEndpoint.ts';
import { approvalOf, consentSheet } from '../../../../src-core/features/servers/consent.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['an argument', { args: ['${userHome}/data'], cwd: '/' }, { changes: [], values: ['${userHome}'] }],
  ['a program', { command: '${userHome}/server', cwd: '/' }, { changes: [], values: ['${userHome}'] }],
  [
    'a relative folder',
    { cwd: 'lab' },
    { changes: [{ field: 'cwd', before: '/home/ann/lab', after: '/home/bob/lab' }], values: [] },
  ],
])('%s in another home folder is shown as changed', async (_, part, expected) => {
  const written = { type: 'stdio' as const, command: process.execPath, args: [], env: {}, ...part };
  const inHome = (home: string) => {
    vi.stubEnv('HOME', home);
    vi.stubEnv('USERPROFILE', home);
    return { ...expandEndpoint(written, { variables: 'editor', given: new Map() }), written };
  };
  const approved = await approvalOf(inHome('/home/ann'));
  const sheet = await consentSheet(inHome('/home/bob'), approved);
  expect(sheet.fingerprint).not.toBe(approved.fingerprint);
  expect(sheet).toMatchObject(expected);
});
