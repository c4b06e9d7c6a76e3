import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dangerOf } from '../../../src-core/tools/dangerousTools.ts';

describe('asks first', () => {
  test.each([
    'self.reboot',
    'self.system.reboot',
    'reboot_device',
    'self.restart',
    'system.restart',
    'self.power_off',
    'device.shutdown',
    'self.upgrade_firmware',
    'self.upgrade',
    'firmware.update',
    'ota_upgrade',
    'factory_reset',
    'self.factoryReset',
    'self.erase_flash',
    'self.assets.set_download_url',
    'self.assets.update',
    'self.system.reconfigure_wifi',
    'wifi.reset',
    'self.network.setWiFi',
    'self.wi_fi.forget',
    'self.application.kill',
    'self.application.launch',
    'kill_process',
    'SELF.REBOOT',
  ])('%s', (name) => {
    expect(dangerOf(name)).toMatch(/\.$/);
  });
});

describe('does not ask', () => {
  test.each([
    'self.get_reboot_count',
    'self.application.scan_installed',
    'self.application.list_running',
    'self.audio_speaker.set_volume',
    'music_player.restart',
    'timer.restart',
    'game.reset',
    'self.light.turn_off',
    'self.led.flash',
    'self.flash',
    'self.wifi.get_config',
    'self.wifi.scan',
    'self.assets.get_download_url',
    'self.screen.update',
    'calendar.update_event',
    'self.calendar.delete_event',
    'self.killer_feature',
    'self.launcher.show',
    '重启',
    '',
    'a'.repeat(10_000),
  ])('%.40s', (name) => {
    expect(dangerOf(name)).toBeUndefined();
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

describe.each([
  ['tools-esp32host.json', ['self.reboot', 'self.upgrade_firmware', 'self.assets.set_download_url']],
  ['tools-pyxiaozhi.json', ['self.application.launch', 'self.application.kill']],
  ['tools-pyxiaozhi-1.1.8.json', ['self.application.launch', 'self.application.kill']],
])('of the real list %s', (file, dangerous) => {
  test.runIf(existsSync(corpus))('just these ask', () => {
    const tools = JSON.parse(readFileSync(new URL(file, corpus), 'utf8')) as { name: string }[];
    expect(tools.map(({ name }) => name).filter((name) => dangerOf(name) !== undefined)).toEqual(dangerous);
  });
});
