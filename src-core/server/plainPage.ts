interface PageTexts {
  title: string;
  /** HTML. */
  body: string;
}

/** Whether Chinese is the first language of an `Accept-Language` of browsers, which list them in the order of preference. */
const prefersChinese = (accepted = ''): boolean => /^\s*zh\b/i.test(accepted);

/** A page beside the window, in the browser's language and theme. */
export function plainPage(acceptLanguage: string | undefined, texts: { en: PageTexts; zh: PageTexts }): string {
  const isChinese = prefersChinese(acceptLanguage);
  const { title, body } = texts[isChinese ? 'zh' : 'en'];
  return `<!doctype html>
<html lang="${isChinese ? 'zh-CN' : 'en'}">
<meta charset="utf-8">
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
<main><h1>${title}</h1>${body}</main>
</html>
`;
}
