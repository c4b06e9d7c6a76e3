/** The languages of docs/protocols/gateway.md#server-tools: code, name in Chinese, and name in the language itself. */
export const languages: readonly { code: string; name: string; nativeName: string }[] = [
  { code: 'zh', name: '中文', nativeName: '中文' },
  { code: 'en', name: '英语', nativeName: 'English' },
  { code: 'ja', name: '日语', nativeName: '日本語' },
  { code: 'ko', name: '韩语', nativeName: '한국어' },
  { code: 'de', name: '德语', nativeName: 'Deutsch' },
  { code: 'fr', name: '法语', nativeName: 'Français' },
  { code: 'ru', name: '俄语', nativeName: 'Русский' },
  { code: 'pt', name: '葡萄牙语', nativeName: 'Português' },
  { code: 'es', name: '西班牙语', nativeName: 'Español' },
  { code: 'it', name: '意大利语', nativeName: 'Italiano' },
];
