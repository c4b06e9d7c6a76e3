import type { MenuItemConstructorOptions } from 'electron';

import type { ShellTexts } from './texts.ts';

/** The system's own commands, and updates: the window has its own. `onStart` is absent where a copy has no updates. */
export function menuTemplate(options: {
  platform: NodeJS.Platform;
  texts: ShellTexts;
  checkForUpdates: () => void;
  onStart?: { checked: boolean; change: (checked: boolean) => void } | undefined;
}): MenuItemConstructorOptions[] {
  const { platform, texts, onStart } = options;
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    {
      role: 'help',
      label: texts.help,
      submenu: [
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
