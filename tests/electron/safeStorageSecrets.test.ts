import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { createSafeStorageSecrets } from '../../electron/safeStorageSecrets.ts';
import { createFileSecrets } from '../../src-core/store/fileSecrets.ts';
import { FakeSafeStorage } from './fakeElectron.ts';

function open(platform: NodeJS.Platform = 'linux') {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-safe-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const safeStorage = new FakeSafeStorage();
  const path = join(dir, 'secrets.encrypted.json');
  const file = createFileSecrets(join(dir, 'secrets.json'));
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const secrets = createSafeStorageSecrets({ safeStorage, platform, path, file, onError });
  return { safeStorage, path, file, secrets, errors };
}

test('a secret is kept encrypted, and nowhere else', async () => {
  const { secrets, path, file } = open();
  await file.set('model:a', 'sk-old');
  await secrets.set('model:a', 'sk-secret');
  expect(await secrets.storage()).toBe('system');
  expect(await secrets.get('model:a')).toBe('sk-secret');
  expect(await secrets.has('model:a')).toBe(true);
  expect(readFileSync(path, 'utf8')).not.toContain('sk-secret');
  expect(await file.has('model:a')).toBe(false);
  await secrets.delete('model:a');
  expect(await secrets.get('model:a')).toBeUndefined();
});

test('a key that a terminal put into the file is used and can be deleted', async () => {
  const { secrets, file } = open();
  await file.set('model:a', 'sk-terminal');
  expect(await secrets.has('model:a')).toBe(true);
  expect(await secrets.get('model:a')).toBe('sk-terminal');
  await secrets.delete('model:a');
  expect(await file.has('model:a')).toBe(false);
});

test('on Linux a ciphertext of Chromium’s fixed password is weak, whatever the desktop is called', async () => {
  const { secrets, safeStorage } = open('linux');
  safeStorage.fixedPassword = true;
  const encrypt = vi.spyOn(safeStorage, 'encryptStringAsync');
  expect(await secrets.storage()).toBe('weak');
  expect(await secrets.storage()).toBe('weak');
  expect(encrypt).toHaveBeenCalledTimes(1);
});

test('on Linux a ciphertext of a keyring is safe', async () => {
  expect(await open('linux').secrets.storage()).toBe('system');
});

test.each(['darwin', 'win32'] as const)('on %s every ciphertext begins with v10, which is safe', async (platform) => {
  const { secrets, safeStorage } = open(platform);
  safeStorage.fixedPassword = true;
  expect(await secrets.storage()).toBe('system');
});

test('a keyring that is locked during the probe is not called weak, and is probed again', async () => {
  const { secrets, safeStorage } = open('linux');
  safeStorage.fixedPassword = true;
  vi.spyOn(safeStorage, 'encryptStringAsync').mockRejectedValueOnce(new Error('locked'));
  expect(await secrets.storage()).toBe('system');
  expect(await secrets.storage()).toBe('weak');
});

test('without safe storage the file is used, and said to be', async () => {
  const { secrets, safeStorage, file } = open();
  await secrets.set('model:a', 'sk-one');
  safeStorage.available = false;
  expect(await secrets.storage()).toBe('file');
  await secrets.set('model:a', 'sk-two');
  expect(await secrets.get('model:a')).toBe('sk-two');
  expect(await file.get('model:a')).toBe('sk-two');
});

test('a secret is encrypted again if the system asks for it', async () => {
  const { secrets, safeStorage } = open();
  await secrets.set('model:a', 'sk-secret');
  safeStorage.rotated = true;
  let encrypted = 0;
  const encrypt = safeStorage.encryptStringAsync;
  safeStorage.encryptStringAsync = (text) => {
    encrypted += 1;
    return encrypt(text);
  };
  expect(await secrets.get('model:a')).toBe('sk-secret');
  expect(encrypted).toBe(1);
  expect(await secrets.get('model:a')).toBe('sk-secret');
});

test('a locked keyring is an error that says what to do', async () => {
  const { secrets, safeStorage } = open();
  await secrets.set('model:a', 'sk-secret');
  safeStorage.locked = true;
  await expect(secrets.get('model:a')).rejects.toThrow(/Unlock it, or set the key again/);
  expect(await secrets.has('model:a')).toBe(true);
});

test('a secret that cannot be encrypted again is returned all the same, and stays where it is', async () => {
  const { secrets, safeStorage, file, errors } = open();
  await secrets.set('model:a', 'sk-secret');
  safeStorage.rotated = true;
  const refused = new Error('the keyring is locked');
  vi.spyOn(safeStorage, 'encryptStringAsync').mockRejectedValueOnce(refused);
  expect(await secrets.get('model:a')).toBe('sk-secret');
  expect(errors).toEqual([refused]);
  expect(await file.has('model:a')).toBe(false);
  expect(await secrets.get('model:a')).toBe('sk-secret');
});

test('an encrypted secret survives if the plain file cannot be written in its place', async () => {
  const { secrets, safeStorage, file } = open();
  await secrets.set('model:a', 'sk-one');
  safeStorage.available = false;
  vi.spyOn(file, 'set').mockRejectedValueOnce(new Error('ENOSPC'));
  await expect(secrets.set('model:a', 'sk-two')).rejects.toThrow('ENOSPC');
  expect(await secrets.get('model:a')).toBe('sk-one');
});
