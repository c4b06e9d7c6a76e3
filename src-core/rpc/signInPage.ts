import { plainPage } from '../server/plainPage.ts';

const command = '<code>toolwire serve</code>';

/** What a browser without a valid cookie gets instead of the window. */
export function signInPage(acceptLanguage: string | undefined): string {
  return plainPage(acceptLanguage, {
    en: {
      title: 'This browser is not signed in',
      body: `<p>Toolwire is running. A link to it works once. Run this command again to get a new one:</p>${command}`,
    },
    zh: {
      title: '此浏览器未登录',
      body: `<p>Toolwire 正在运行。每个链接只能使用一次。再次运行此命令即可获得新链接：</p>${command}`,
    },
  });
}
