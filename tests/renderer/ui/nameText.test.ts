import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';

import NameText from '../../../renderer/ui/NameText.vue';

it('lets a name break after its separators and before its capitals, and nowhere else', () => {
  const html = (text: string): string =>
    mount(NameText, { props: { text } }).element.innerHTML.replaceAll(/<!--.*?-->| data-v-\w+=""/g, '');
  expect(html('directory-tree_getHTTPTree')).toBe('directory-<wbr>tree_<wbr>get<wbr>HTTPTree');
  expect(html('命令1')).toBe('命令1');
  expect(html('a\u202eb')).toBe('a\\u202eb');
});
