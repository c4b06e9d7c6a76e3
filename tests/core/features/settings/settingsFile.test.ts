import { describe, expect, test } from 'vitest';

import { readSettingsFile, writeSettingsFile } from '../../../../src-core/features/settings/settingsFile.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';

const current = async () => (await openWorkbench()).services.settings.get();

describe('a file of settings', () => {
  test('holds all but what the window remembers, and read back changes nothing', async () => {
    const settings = await current();
    settings.ui = { 'executor.arguments': 'a secret that somebody typed' };
    const { fileName, text } = writeSettingsFile(settings);
    expect(fileName).toBe('toolwire-settings.json');
    expect(text).not.toContain('secret');
    const { ui, ...rest } = settings;
    expect((JSON.parse(text) as { settings: unknown }).settings).toEqual(rest);
    expect(readSettingsFile(text, settings)).toEqual({});
    expect(ui).toBeDefined();
  });

  test('returns only the differences, and changes nothing by itself', async () => {
    const workbench = await openWorkbench();
    const before = workbench.services.settings.get();
    const text = JSON.stringify({
      format: 'toolwire-settings',
      version: 1,
      settings: { theme: 'dark', locale: before.locale, captureLimitMb: 7 },
    });
    const change = readSettingsFile(text, before);
    expect(change).toEqual({ theme: 'dark', captureLimitMb: 7 });
    expect(workbench.services.settings.get()).toEqual(before);
    expect(await workbench.services.settings.set(change)).toMatchObject(change);
  });

  test.each([
    ['{', /not valid JSON/],
    ['['.repeat(300_000), /^The file has more than 262144 characters\. Choose/],
    ['[]', /not settings of Toolwire.*The file must be an object/],
    ['{"format":"toolwire-chat","version":1,"settings":{}}', /"format" must be "toolwire-settings"\./],
    ['{"format":"toolwire-settings","version":2,"settings":{}}', /"version" must be 1; a later/],
    [
      '{"format":"toolwire-settings","version":1,"settings":{"captureLimitMb":0}}',
      /"settings\.captureLimitMb" must be 1 or more/,
    ],
    [
      '{"format":"toolwire-settings","version":1,"settings":{"mcpMessageMib":0}}',
      /"settings\.mcpMessageMib" must be 1 or more/,
    ],
    [
      '{"format":"toolwire-settings","version":1,"settings":{"mcpMessageMib":257}}',
      /"settings\.mcpMessageMib" must be 256 or less/,
    ],
    ['{"format":"toolwire-settings","version":1,"settings":{"ui":{}}}', /ui/],
    ['{"format":"x",\n "version" 1}', /not valid JSON: line 2, column 12: a colon is expected here\. Choose/],
    [
      '{"format":"toolwire-settings","version":1,"settings":{"theme":"pink","devicePort":-1,"hue":1}}',
      /changed\. "settings\.theme" must be one of "system", "light", "dark"\. "settings\.devicePort" must be 0 or more\. "settings" has an unknown field "hue"\.$/,
    ],
  ])('refuses %.60s, naming what is wrong', async (text, message) => {
    const settings = await current();
    expect(() => readSettingsFile(text, settings)).toThrow(message);
  });
});
