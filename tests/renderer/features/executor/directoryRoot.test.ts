/** The directory-tree tool before its directory is chosen, in the Executor. */
import { expect, it, onTestFinished, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { loadEngineTexts } from '../../../../renderer/i18n/engine/wordEngine.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { loadMessages } from '../../../../renderer/i18n/textOf.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettingsPlace } from '../../../../renderer/window/settingsPlace.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it('says in Chinese that a directory must be chosen, once, and opens the setting', async () => {
  onTestFinished(() => setLanguage('en'));
  setLanguage('zh');
  await Promise.all([loadMessages(), loadEngineTexts()]);
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('directory-tree_listFiles') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'directory-tree_listFiles' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.find('.run').exists());
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.find('.error-view').exists());
  const view = pane.get('.error-view');
  expect(view.text()).toContain('尚未选择目录。请在“设置”中选择工具可以列出的目录。');
  expect(view.text()).not.toContain('No folder');
  expect(view.text()).not.toContain('调整参数');
  expect(view.text().match(/在“设置”中/g)).toHaveLength(1);

  // The remedy is the one blue button: another run would fail in the same way.
  const blue = view.findAll('button.primary');
  expect(blue.map((button) => button.text())).toEqual(['打开设置']);
  expect(pane.get('.run').classes()).not.toContain('primary');
  await blue[0]!.trigger('click');
  expect(window.use(() => useNavigation()).pane).toBe('settings');
  expect(window.use(() => useSettingsPlace()).row).toBe('settings.root');
});
