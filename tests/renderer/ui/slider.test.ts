import { mount } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';

import Slider from '../../../renderer/ui/Slider.vue';
import { setLanguage } from '../../../renderer/i18n/index.ts';
import { giveLayout } from '../layout.ts';

afterEach(() => setLanguage('en'));

describe('a slider without a value', () => {
  it('says so, and has the value once it is moved', async () => {
    const undo = giveLayout();
    const slider = mount(Slider, {
      props: { label: 'level', min: 5, max: 10, step: 1, modelValue: 5, unset: true },
      attachTo: document.body,
    });
    const thumb = () => slider.get('[role="slider"]');
    expect(thumb().attributes('aria-valuetext')).toBe('no value');
    expect(slider.classes()).toContain('unset');
    await thumb().trigger('keydown', { key: 'ArrowRight' });
    expect(slider.emitted('update:modelValue')).toEqual([[6]]);
    await slider.setProps({ modelValue: 6, unset: false });
    expect(thumb().attributes('aria-valuetext')).toBeUndefined();
    expect(thumb().attributes('aria-valuenow')).toBe('6');
    setLanguage('zh');
    await slider.setProps({ unset: true });
    expect(thumb().attributes('aria-valuetext')).toBe('无值');
    slider.unmount();
    undo();
  });
});
