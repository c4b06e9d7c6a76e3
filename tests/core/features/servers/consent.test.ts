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

test('an empty variable has no value until the user gives one', async () => {
  const written = { type: 'stdio' as const, command: process.execPath, args: [], env: { API_KEY: '' } };
  const sheetWith = (given: [string, string][]) =>
    consentSheet({ ...expandEndpoint(written, { variables: 'none', given: new Map(given) }), written }, undefined);
  const before = await sheetWith([]);
  expect(before.missing).toMatchObject([{ key: 'input:API_KEY', written: 'API_KEY', secret: true, from: 'missing' }]);
  expect(before.envNames.filter(({ from }) => from === 'secret')).toEqual([]);
  const after = await sheetWith([['input:API_KEY', 'swordfish-7']]);
  expect(after.missing).toEqual([]);
  expect(after.envNames).toContainEqual({ name: 'API_KEY', from: 'secret' });
});

test.each([
  ['env bash -c x', 'shell: bash'],
  ['nohup sh', 'shell: sh'],
  ['docker run img /bin/sh -c x', 'shell: /bin/sh'],
  ['ksh -c x', 'shell: ksh'],
  ['/usr/bin/csh -c x', 'shell: /usr/bin/csh'],
  ['env tcsh', 'shell: tcsh'],
  ['C:\\Windows\\System32\\CMD.EXE /c x', 'shell: C:\\Windows\\System32\\CMD.EXE'],
  ['sudo sh -c x', 'shell: sh, administrator: sudo'],
  ['env /usr/bin/sudo node', 'administrator: /usr/bin/sudo'],
  ['ssh lab', ''],
  ['node /srv/publish @scope/bash', ''],
  ['docker run --mount type=bind,source=/,target=/host img', 'wide-path: type=bind,source=/,target=/host'],
  ['docker run --mount=type=bind,src=~,dst=/host img', 'wide-path: --mount=type=bind,src=~,dst=/host'],
  ['docker run --mount type=bind,source=/srv/data,target=/ img', ''],
  ['docker run -v/:/host img', 'wide-path: -v/:/host'],
  ['docker run -v C:\\:/host img', 'wide-path: C:\\:/host'],
])('%s: %s', async (line, expected) => {
  const [command = '', ...args] = line.split(' ');
  const written = { type: 'stdio' as const, command, args, env: {} };
  const { warnings } = await consentSheet(
    { ...expandEndpoint(written, { variables: 'editor', given: new Map() }), written },
    undefined,
  );
  expect(warnings.map(({ code, part }) => `${code}: ${part}`).join(', ')).toBe(expected);
});
