import type { LiveWork } from '../src-core/contract/types.ts';

/** The texts of menus and message boxes, in both languages. */
const en = {
  file: 'File',
  newWindow: 'New Window',
  help: 'Help',
  tour: 'Show the Quick Tour',
  shortcuts: 'Keyboard Shortcuts',
  about: 'Settings, Licences and Version',
  checkForUpdates: 'Check for Updates…',
  checkOnStart: 'Check for Updates on Start',
  cannotOpen: (name: string): string => `${name} could not be opened`,
  noLink:
    'That is not a Toolwire link. Links look like toolwire://pane/devices, toolwire://device/ID and toolwire://tool/NAME.',
  updates: {
    title: 'Updates',
    none: (version: string): string => `Toolwire ${version} is the newest version`,
    available: (version: string): string => `Toolwire ${version} is available`,
    ask: 'Download it now? Toolwire asks again before it installs anything.',
    download: 'Download',
    later: 'Later',
    ready: (version: string): string => `Toolwire ${version} is ready`,
    askRestart:
      'Restart now to install it? Devices are disconnected for a moment. Otherwise it is installed when you quit.',
    restart: 'Restart',
    failed: 'The update did not work',
    next: 'Nothing was changed. Try again later, or get the new version where you got this one.',
    startsAnew: 'Toolwire starts again as the version it was. Get the new one where you got this one.',
    startAnew: 'Start again',
    elsewhere: 'This copy does not update itself',
    elsewhereWhy:
      'Only released packages do (installer, disk image, AppImage). Get new versions where you got this one.',
  },
  waiting: {
    message: 'Toolwire is waiting for another process',
    detail: (dataDir: string, pid: number | undefined): string =>
      `${pid === undefined ? 'Another Toolwire process' : `Toolwire, process ${pid},`} uses ${dataDir}. The window opens when that process ends.`,
    keepWaiting: 'Keep Waiting',
  },
  quit: {
    /** Undefined if quitting interrupts nothing. */
    question({ devices, series, calls }: LiveWork): string | undefined {
      const parts = [
        ...(devices > 0 ? [`${devices} ${devices === 1 ? 'device is' : 'devices are'} connected`] : []),
        ...(series > 0 ? [`${series} series ${series === 1 ? 'is' : 'are'} running`] : []),
        ...(calls > 0 ? [`${calls} ${calls === 1 ? 'call is' : 'calls are'} running`] : []),
      ];
      if (parts.length === 0) return undefined;
      return `${new Intl.ListFormat('en').format(parts)}. Quit anyway?`;
    },
    quit: 'Quit',
    cancel: 'Cancel',
  },
  crashed: {
    message: 'The window has crashed again',
    detail: (reason: string): string =>
      `Its process ended for the second time within a minute (${reason}). Devices and calls keep running. If this happens often, start Toolwire with the environment variable TOOLWIRE_DISABLE_GPU=1.`,
    reload: 'Reload',
  },
  close: 'Close',
  edit: { cut: 'Cut', copy: 'Copy', paste: 'Paste', selectAll: 'Select All' },
};

export type ShellTexts = typeof en;

const zh: ShellTexts = {
  file: '文件',
  newWindow: '新建窗口',
  help: '帮助',
  tour: '显示快速引导',
  shortcuts: '键盘快捷键',
  about: '设置、许可证和版本',
  checkForUpdates: '检查更新…',
  checkOnStart: '启动时检查更新',
  cannotOpen: (name) => `无法打开 ${name}`,
  noLink: '这不是 Toolwire 的链接。链接形如 toolwire://pane/devices、toolwire://device/ID 或 toolwire://tool/NAME。',
  updates: {
    title: '更新',
    none: (version) => `Toolwire ${version} 已是最新版本`,
    available: (version) => `可以下载 Toolwire ${version}`,
    ask: '现在下载吗？安装前会再次询问。',
    download: '下载',
    later: '稍后',
    ready: (version) => `Toolwire ${version} 已准备就绪`,
    askRestart: '现在重启并安装吗？设备会短暂断开。选择“稍后”则在退出时安装。',
    restart: '重启',
    failed: '更新失败',
    next: '未进行任何更改。请稍后重试，或从原来的渠道获取新版本。',
    startsAnew: 'Toolwire 将以原来的版本重新启动。请从原来的渠道获取新版本。',
    startAnew: '重新启动',
    elsewhere: '此副本不会自行更新',
    elsewhereWhy: '只有发布的安装包（安装程序、磁盘映像、AppImage）会自行更新。请从原来的渠道获取新版本。',
  },
  waiting: {
    message: 'Toolwire 正在等待另一个进程',
    detail: (dataDir, pid) =>
      `${pid === undefined ? '另一个 Toolwire 进程' : `Toolwire（进程 ${pid}）`}正在使用 ${dataDir}。该进程结束后，窗口就会打开。`,
    keepWaiting: '继续等待',
  },
  quit: {
    question({ devices, series, calls }) {
      const parts = [
        ...(devices > 0 ? [`已连接 ${devices} 台设备`] : []),
        ...(series > 0 ? [`${series} 组重复调用正在进行`] : []),
        ...(calls > 0 ? [`${calls} 次调用正在进行`] : []),
      ];
      return parts.length === 0 ? undefined : `${parts.join('，')}。仍要退出吗？`;
    },
    quit: '退出',
    cancel: '取消',
  },
  crashed: {
    message: '窗口再次崩溃',
    detail: (reason) =>
      `窗口的进程在一分钟内第二次终止（${reason}）。设备与调用不受影响。如果经常发生，请设置环境变量 TOOLWIRE_DISABLE_GPU=1 后启动 Toolwire。`,
    reload: '重新加载',
  },
  close: '关闭',
  edit: { cut: '剪切', copy: '复制', paste: '粘贴', selectAll: '全选' },
};

/**
 * The texts for a language of the settings; `system` follows the system's language, as returned by `app.getLocale()`.
 */
export function shellTexts(locale: 'system' | 'en' | 'zh', systemLocale: string): ShellTexts {
  const language = locale === 'system' ? systemLocale.split('-', 1)[0] : locale;
  return language === 'zh' ? zh : en;
}
