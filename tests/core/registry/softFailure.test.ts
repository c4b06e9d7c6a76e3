import { describe, expect, test } from 'vitest';
import { softFailureOf } from '../../../src-core/registry/softFailure.ts';

const ofDevice = (text: string, methodName = 'self.screen.set_theme') =>
  softFailureOf({ text, methodName, fromDevice: true });
const ofModule = (text: string) => softFailureOf({ text, methodName: 'isPrime', fromDevice: false });

describe('an answer in JSON fails softly if a member says so', () => {
  test.each([
    ['{"success": false, "message": "no camera"}', { member: 'success', value: 'false' }],
    [' {"success":false}', { member: 'success', value: 'false' }],
    ['{"ok": false}', { member: 'ok', value: 'false' }],
    ['{"error": "busy"}', { member: 'error', value: '"busy"' }],
    ['{"isError": true}', { member: 'isError', value: 'true' }],
    ['{"success": true}', undefined],
    ['{"error": null}', undefined],
    ['{"error": ""}', undefined],
    ['{"__proto__": {"success": false}}', undefined],
    ['{"success": false', undefined],
    ['{"answer": {"success": false}}', undefined],
    ['[false]', undefined],
    ['success: false', undefined],
    ['', undefined],
    [`{"success": false, "data": "${'x'.repeat(100_000)}"}`, undefined],
  ])('%.50s', (text, soft) => {
    expect(ofDevice(text)).toEqual(soft);
    expect(ofModule(text)).toEqual(soft);
  });
});

describe('texts of a device', () => {
  test.each([
    ['false', { value: 'false' }],
    ['错误：没有找到歌曲', { value: '错误：没有找到歌曲' }],
    [`错误${'长'.repeat(500)}`, { value: `错误${'长'.repeat(118)}` }],
    ['true', undefined],
    ['falsehood', undefined],
    ['没有错误', undefined],
  ])('%.20s', (text, soft) => {
    expect(ofDevice(text)).toEqual(soft);
    expect(ofModule(text)).toBeUndefined();
  });

  test.each([
    ['self.light.get_power', true],
    ['self.battery.is_charging', true],
    ['isPlaying', true],
    ['timer.has_timer', true],
    ['get', true],
    ['self.light.turn_on', false],
    ['self.get.set_power', false],
    ['self.issue_ticket', false],
    ['getter.set', false],
    ['self.application.launch', false],
  ])('false is an answer of %s: %s', (name, isAnswer) => {
    expect(ofDevice('false', name) === undefined).toBe(isAnswer);
  });
});
