import { join } from 'node:path';
import { expect, test } from 'vitest';

import { whyNoSandbox } from '../../electron/launch/sandbox.ts';
import { testFolder, writeFiles } from './testFiles.ts';

/** Kernel settings of a system; a setting that a kernel does not have is absent. */
const systems = {
  'Ubuntu 24.04': { 'kernel/apparmor_restrict_unprivileged_userns': '1\n', 'user/max_user_namespaces': '63000\n' },
  'an older Debian': { 'kernel/unprivileged_userns_clone': '0\n', 'user/max_user_namespaces': '63000\n' },
  'a hardened kernel': { 'user/max_user_namespaces': '0\n' },
  'Ubuntu 22.04': { 'kernel/unprivileged_userns_clone': '1\n', 'user/max_user_namespaces': '63000\n' },
  'Ubuntu 24.04 without the restriction': { 'kernel/apparmor_restrict_unprivileged_userns': '0\n' },
  'a kernel without these settings': {},
};

function sysctl(system: keyof typeof systems): string {
  const dir = testFolder();
  writeFiles(dir, systems[system]);
  return dir;
}

const missing = (): never => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
};

test.each(['Ubuntu 24.04', 'an older Debian', 'a hardened kernel'] as const)(
  'on %s the sandbox needs its setuid helper',
  (system) => {
    const where = { distDir: '/app/dist', sysctlDir: sysctl(system) };
    const helper = (uid: number, mode: number) => whyNoSandbox({ ...where, stat: () => ({ uid, mode }) });
    expect(helper(0, 0o104755)).toBeUndefined();
    expect(helper(1000, 0o104755)).toBeDefined();
    expect(helper(0, 0o100755)).toBeDefined();
    expect(whyNoSandbox({ ...where, stat: missing })).toBeDefined();
  },
);

test.each(['Ubuntu 22.04', 'Ubuntu 24.04 without the restriction', 'a kernel without these settings'] as const)(
  'on %s the sandbox needs nothing else',
  (system) => {
    expect(whyNoSandbox({ distDir: '/app/dist', sysctlDir: sysctl(system), stat: missing })).toBeUndefined();
  },
);

test('the real file is looked at, and the command can be pasted into a shell', () => {
  const distDir = join(testFolder(), "Ann's dist");
  writeFiles(distDir, { 'chrome-sandbox': '' });
  const helper = `'${distDir.replace("'", `'\\''`)}/chrome-sandbox'`;
  expect(whyNoSandbox({ distDir, sysctlDir: sysctl('Ubuntu 24.04') })).toEqual({
    reason: "Electron's sandbox cannot start, because this system restricts user namespaces",
    remedy: expect.stringContaining(`\n  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}\n`),
  });
});
