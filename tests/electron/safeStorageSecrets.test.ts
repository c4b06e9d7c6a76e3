import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { createSafeStorageSecrets } from '../../electron/safeStorageSecrets.ts';
import { createFileSecrets } from '../../src-core/store/fileSecrets.ts';
import { FakeSafeStorage } from './fakeElectron.ts';

function open(platform: NodeJS.Platform = 'linux') {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-safe-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const safeStorage = new FakeSafeStorage();
  const path = join(dir, 'secrets.encrypted.json');
  const file = createFileSecrets(join(dir, 'secrets.json'));
  const secrets = createSafeStorageSecrets({ safeStorage, platform, path, file });
  return { safeStorage, path, file, secrets };
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

test('basic_text is said to be weak, on Linux only', async () => {
  const linux = open('linux');
  linux.safeStorage.backend = 'basic_text';
  expect(await linux.secrets.storage()).toBe('weak');
  const mac = open('darwin');
  mac.safeStorage.getSelectedStorageBackend = () => {
    throw new Error('Linux only');
  };
  expect(await mac.secrets.storage()).toBe('system');
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

test('a secret is encrypted again where the system asks for it', async () => {
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
