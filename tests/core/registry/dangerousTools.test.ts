import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTool, toolDanger } from '../../../src-core/features/devices/session/readTool.ts';
import { dangerReasons } from '../../../src-core/registry/dangerReasons.ts';
import { dangerOf } from '../../../src-core/registry/dangerousTools.ts';
import type { JsonObject } from '../../../src-core/base/json.ts';

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
    'self.factory_default',
    'self.ota.begin',
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
    'self.reBoot',
    'reboot2',
    'OTAUpdate',
    'factoryreset',
    'reboot_and_get_status',
    'get_status_and_reboot',
    'device_wifi_get_and_set_config',
    'self.calendar.delete_event',
    'delete_file',
    'files.remove',
    'erase_all',
    'self.storage.format',
    'wipe',
    'purge_queue',
    'db.drop_table',
    'truncate_log',
    'write_file',
    'overwrite_settings',
    'reset_device',
    'self.reset',
    'rollback_firmware',
    'self.system.halt',
    'run_command',
    'execute_script',
    'shell.exec',
    'eval',
    'app.install',
    'app.uninstall',
    'stop_service',
    'unlock_door',
    'lock.unlock',
    'open_garage',
    'disable_firewall',
    'set_password',
    'revoke_access',
    'grant_permission',
    'bluetooth.pair',
    'alipay.pay',
    'transfer_money',
    'buy_ticket',
    'check_out',
    'place_order',
    'order_pizza',
    'send_email',
    'sms.send',
    'post_message',
    'publish',
    'make_phone_call',
    '重启',
    '设备_重启',
    'self.重启设备',
    '恢复出厂设置',
    '格式化存储卡',
    '删除文件',
    '升级固件',
    '关机',
    '打开车门',
    '开锁',
    '微信支付',
    '发送短信',
    '卸载应用',
    '设置wifi',
    '查询并删除记录',
    'delete_list',
    'self.clear_search_history',
    'wipe_status',
    'reboot_check',
    'reboot_status',
    'kill_list',
    'self.unlock_status',
    'erase_scan_data',
    'delete_query',
    'send_status_email',
    'transfer_status_money',
    'self.reset_status',
    '删除_查询',
    'self.power.off',
    'powerOff',
    'shut_down',
    'deleteall',
    'deletefile',
    'rebootnow',
    'self.rebооt',
    'edit_file',
    'move_file',
    'replaceInFile',
    'create_or_update_file',
    'editDocument',
    'git_reset',
    'git_push',
    'force_push',
    'push_tag',
    'patch_repo',
    'git_checkout',
    'str_replace_editor',
    'multi_edit',
    'push_files',
    'git_rebase',
    'merge_pull_request',
    'git_merge',
    'merge_merge_request',
    'accept_merge_request',
    '编辑文件',
    '推送代码',
    '合并请求',
  ])('%s', (name) => {
    expect(dangerOf(name)).toMatch(/\.$/);
  });
});

describe('does not ask', () => {
  test.each([
    'self.get_reboot_count',
    'git_status',
    'git_diff',
    'list_merge_requests',
    'create_merge_request',
    'merge_request.get',
    'get_file_edits',
    'search_pull_requests',
    'merge_cells',
    'push_notification',
    'self.screen.push_image',
    'reset_tag',
    'edit_image',
    '查询合并请求',
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
    'self.killer_feature',
    'self.launcher.show',
    'get_reboot_count',
    'self.get_reboot',
    'config.get_wifi',
    'order.list_items',
    'update_status',
    'light.power_off',
    'clearly_all',
    'undeleted_files',
    'list_deleted_files',
    'check_firmware_update',
    'self.firmware.check_update',
    'read_file',
    'is_wifi_connected',
    'can_unlock',
    'play',
    'play_pause',
    'run_animation',
    'execute_dance',
    'clear_screen',
    'playlist.remove_song',
    'set_order',
    'sort_order',
    'format_text',
    'installed_apps',
    'smart_transfer_query',
    'move_forward',
    'ir.send',
    'write_message',
    'open_curtain',
    'alarm.turn_off',
    'recall_photo',
    '获取重启次数',
    'self.查询支付状态',
    '播放音乐',
    '设置音量',
    '已安装应用',
    '',
    'a'.repeat(10_000),
  ])('%.40s', (name) => {
    expect(dangerOf(name)).toBeUndefined();
  });
});

test('git_checkout changes a repository, and buys nothing', () => {
  expect(dangerOf('git_checkout')).toBe(dangerReasons.edits);
  expect(dangerOf('checkout_cart')).toBe(dangerReasons.spends);
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

describe.each([
  ['tools-esp32host.json', ['self.reboot', 'self.upgrade_firmware', 'self.assets.set_download_url']],
  ['tools-pyxiaozhi.json', ['self.application.launch', 'self.application.kill']],
  [
    'tools-pyxiaozhi-1.1.8.json',
    [
      ...['self.application.launch', 'self.application.kill'],
      ...['self.calendar.delete_event', 'self.calendar.delete_events_batch'],
    ],
  ],
])('of the real list %s', (file, dangerous) => {
  test.runIf(existsSync(corpus))('just these ask', () => {
    const tools = JSON.parse(readFileSync(new URL(file, corpus), 'utf8')) as { name: string }[];
    expect(tools.map(({ name }) => name).filter((name) => dangerOf(name) !== undefined)).toEqual(dangerous);
  });
});

describe("a tool's annotations", () => {
  const listed = (name: string, annotations: JsonObject) => {
    const tool = readTool({ name, annotations });
    return typeof tool === 'string' ? tool : toolDanger(tool);
  };

  test('make it ask first, and never exempt it', () => {
    expect(listed('self.screen.paint', { destructiveHint: true })).toBe(dangerReasons.destructive);
    expect(listed('self.screen.paint', { destructiveHint: false })).toBeUndefined();
    expect(listed('self.get_screen', { destructiveHint: true, readOnlyHint: true })).toBe(dangerReasons.destructive);
    expect(listed('self.reboot', { readOnlyHint: true, destructiveHint: false })).toBe(dangerReasons.restarts);
  });
});
