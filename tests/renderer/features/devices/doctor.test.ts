import { mount } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';

import { en } from '../../../../renderer/i18n/en/index.ts';
import { setLanguage, t } from '../../../../renderer/i18n/index.ts';
import { zh } from '../../../../renderer/i18n/zh/index.ts';
import DoctorAdvice from '../../../../renderer/features/devices/doctor/DoctorAdvice.vue';
import DoctorLine from '../../../../renderer/features/devices/doctor/DoctorLine.vue';
import { adviceKind } from '../../../../renderer/features/devices/adviceKind.ts';
import { wordFact } from '../../../../renderer/features/devices/doctor/wordFact.ts';
import type { DoctorCause, DoctorReport } from '../../../../src-core/contract/types.ts';

afterEach(() => setLanguage('en'));
const causes = Object.keys(adviceKind) as DoctorCause[];
/** What the button of an advice opens. */
const popover = (): Element | null => document.querySelector('.popover');

describe.each([
  ['en', en],
  ['zh', zh],
] as const)('the doctor in %s', (tag, messages) => {
  it.each(causes)('says of %s what happened, what usually causes it, and what to do', (cause) => {
    setLanguage(tag);
    const said = (part: 'what' | 'why' | 'next'): string => t(`devices.doctor.cause.${cause}.${part}`);
    for (const part of ['what', 'why', 'next'] as const) {
      expect(said(part)).toBe(messages.devices.doctor.cause[cause][part]);
      // A sentence each, and no two of the same.
      for (const sentence of said(part).split('\n')) expect(sentence).toMatch(/[.。”]$/);
    }
    expect(new Set([said('what'), said('why'), said('next')]).size).toBe(3);
    if (tag === 'zh') expect(said('what') + said('why') + said('next')).toMatch(/\p{Script=Han}/u);
  });
});

describe('the advice', () => {
  it.each([
    ['left', 'The connection to Lamp ended without a close frame (1006).', true],
    ['toolwire-ended', 'Toolwire ended while Lamp was connected.', true],
    ['closed-here', 'The connection to Lamp was closed here: disconnected by the user.', false],
    ['left-as-asked', 'Lamp disconnected as self.reboot requires, 312 ms after the request.', false],
    ['list-incomplete', 'Some tools may be missing. Page 2 has no list "tools".', false],
    ['tools-invalid', '"self.lamp.set" is listed twice; the first one is used.', false],
    ['reconnects', 'Lamp connected 26 times within 2 minutes.', true],
    ['refused', 'A user rejected it. It asks again when it reconnects.', false],
    ['waits-for-approval', 'It was not approved within 8 s. Approve it, then let it reconnect.', false],
    ['closed-here', undefined, true],
  ] as const)('of %s (%s) guesses no cause that it knows', async (cause, said, guesses) => {
    const advice = mount(DoctorAdvice, { props: { cause, faults: undefined, said, canPowerOn: false } });
    expect(advice.text().includes('Most likely')).toBe(guesses);
    const hasMore = guesses && cause !== 'toolwire-ended';
    expect(advice.get('button').text()).toBe(hasMore ? 'Causes' : 'Next step');
    await advice.get('button').trigger('click');
    expect(popover()?.textContent).toContain(t(`devices.doctor.cause.${cause}.next`));
    expect(popover()?.querySelector('li') !== null).toBe(hasMore);
    advice.unmount();
  });
});

it('has the first sentence as its headline', () => {
  const said = 'Some tools may be missing. Tools are listed twice (15, such as "a.b"); the first one of each is used.';
  const advice = mount(DoctorAdvice, {
    props: { cause: 'list-incomplete', faults: undefined, said, canPowerOn: false },
  });
  expect(advice.get('strong').text()).toBe('Some tools may be missing.');
  expect(advice.text()).toContain('Tools are listed twice');
});

it('names the power as the cause if a virtual device of this workbench was cut off', async () => {
  const said = 'The connection to Lamp ended without a close frame (1006).';
  const advice = mount(DoctorAdvice, { props: { cause: 'left', faults: undefined, said, canPowerOn: true } });
  expect(advice.text()).toContain('Most likely: its power was cut.');
  await advice.get('button').trigger('click');
  expect(popover()?.textContent).toContain('Power it on.');
  advice.unmount();
});

describe('the stations', () => {
  const report: DoctorReport = {
    steps: [
      { id: 'ota', state: 'done', at: 0, fact: 'esp32-s3-box 2.4.2' },
      { id: 'tcp', state: 'done', at: 1_000 },
      { id: 'hello', state: 'done', at: 1_012, tookMs: 12, fact: 'version 3, MCP, aec' },
      { id: 'approval', state: 'skipped' },
      { id: 'initialize', state: 'failed', at: 11_012, tookMs: 10_000 },
      { id: 'tools', state: 'open' },
    ],
  };

  it('are named by their outcome, without those that were not needed', () => {
    const line = mount(DoctorLine, { props: { report } });
    expect(line.findAll('li').map((step) => step.text().replaceAll(/\s+/g, ' '))).toEqual([
      'OTAdone',
      'Connecteddone',
      'Hellodone',
      'Not initializedstopped here',
      'Toolsnot yet',
    ]);
    expect(line.findAll('li')[3]?.attributes('title')).toMatch(/^Initialize: stopped here · .* · after 10\.0 s$/);
    line.unmount();
  });

  it('end with the call that the device did not survive', () => {
    const tools: DoctorReport['steps'][number] = { id: 'tools', state: 'done', fact: '15 tools, 2 pages' };
    const call: DoctorReport['steps'][number] = { id: 'call', state: 'failed', fact: '#23', tookMs: 2_410 };
    const line = mount(DoctorLine, { props: { report: { steps: [tools, call], cause: 'left-during-call' } } });
    expect(line.findAll('li').map((step) => step.text())).toEqual(['15 toolsdone', 'Call #23stopped here']);
    expect(line.findAll('li')[1]?.classes()).toContain('failed');
    line.unmount();
  });

  it('say that a list broke off half-way', () => {
    const steps: DoctorReport['steps'] = [{ id: 'tools', state: 'failed', fact: '31 tools, 2 pages' }];
    const line = mount(DoctorLine, { props: { report: { steps, cause: 'list-incomplete' } } });
    expect(line.get('.label').text()).toBe('31 tools, incomplete');
    // As amber as the advice.
    expect(line.get('li').classes()).toEqual(['flawed']);
    line.unmount();
  });

  it('word the engine’s counts in the window’s language, and leave a device’s words alone', () => {
    setLanguage('zh');
    expect(wordFact('19 tools, 3 pages')).toBe('19 个工具，3 页');
    expect(wordFact('1 tool')).toBe('1 个工具');
    expect(wordFact('version 3, MCP')).toBe('版本 3，MCP');
    expect(wordFact('bread-compact 2.0.5')).toBe('bread-compact 2.0.5');
    setLanguage('en');
    expect(wordFact('1 tool, 1 page')).toBe('1 tool, 1 page');
  });
});
