const texts = {
  en: {
    title: 'This browser is not signed in',
    text: 'Toolwire is running. A link to it works once. Run this command again to get a new one:',
  },
  zh: { title: '此浏览器未登录', text: 'Toolwire 正在运行。每个链接只能使用一次。再次运行此命令即可获得新链接：' },
};

/** Whether Chinese is the first language of an `Accept-Language` of browsers, which list them in the order of preference. */
const prefersChinese = (accepted = ''): boolean => /^\s*zh\b/i.test(accepted);

/** What a browser without a valid cookie gets instead of the window, in its language and theme. */
export function signInPage(acceptLanguage: string | undefined): string {
  const language = prefersChinese(acceptLanguage) ? 'zh' : 'en';
  const { title, text } = texts[language];
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${title} · Toolwire</title>
<style>
:root { color-scheme: light dark; font: 14px/1.6 system-ui, sans-serif; }
body { display: grid; place-content: safe center; min-height: 100vh; margin: 0; background: light-dark(#fff, #15181d); color: light-dark(#444a57, #b3b9c4); }
main { max-width: 400px; padding: 24px; }
h1 { margin: 0; color: light-dark(#171a21, #e9ebef); font-size: 16px; }
p { margin: 4px 0 16px; }
code { padding: 6px 12px; border: 1px solid light-dark(#d5d9e0, #313741); border-radius: 6px; color: light-dark(#171a21, #e9ebef); }
</style>
<main><h1>${title}</h1><p>${text}</p><code>toolwire serve</code></main>
</html>
`;
}
