import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';

import FailureText from '../../../renderer/ui/FailureText.vue';

it('tells what failed, then why, then what to do, with the details last', () => {
  const view = mount(FailureText, {
    props: { what: 'The device left', why: 'Code 1006.', next: 'Wait for it.', level: 2 },
    slots: { cause: '<i>level</i>', actions: '<button>Run again</button>', default: '<pre>trace</pre>' },
  });
  expect(view.text()).toMatch(/The device left.*Code 1006\..*level.*Wait for it\..*Run again.*trace/s);
  expect(view.get('h2').text()).toBe('The device left');
  const bare = mount(FailureText, { props: { what: 'The device left' } });
  expect(bare.findAll('*').map((part) => part.text())).toEqual(['The device left', 'The device left']);
});
