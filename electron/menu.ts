import type { MenuItemConstructorOptions } from 'electron';

import type { Opening } from '../src-core/contract/types.ts';
import type { ShellTexts } from './texts.ts';

/**
 * System commands, windows, help and updates. All other commands belong to the window. `onStart` is absent without
 * updates.
 */
export function menuTemplate(options: {
  platform: NodeJS.Platform;
  texts: ShellTexts;
  newWindow: () => void;
  show: (opening: Opening) => void;
  checkForUpdates: () => void;
  onStart?: { checked: boolean; change: (checked: boolean) => void } | undefined;
}): MenuItemConstructorOptions[] {
  const { platform, texts, onStart } = options;
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: texts.file,
      submenu: [
        { label: texts.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: () => options.newWindow() },
        { type: 'separator' },
        platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    {
      role: 'help',
      label: texts.help,
      submenu: [
        { label: texts.tour, click: () => options.show({ kind: 'help', topic: 'tour' }) },
        { label: texts.shortcuts, click: () => options.show({ kind: 'help', topic: 'shortcuts' }) },
        { label: texts.about, click: () => options.show({ kind: 'pane', pane: 'settings' }) },
        { type: 'separator' },
        { label: texts.checkForUpdates, click: options.checkForUpdates },
        ...(onStart
          ? [
              {
                label: texts.checkOnStart,
                type: 'checkbox' as const,
                checked: onStart.checked,
                click: (item: { checked: boolean }) => onStart.change(item.checked),
              },
            ]
          : []),
      ],
    },
  ];
}
