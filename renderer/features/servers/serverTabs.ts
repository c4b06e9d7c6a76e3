/** The tabs of a server in their order. */
export const serverTabs = [
  'tools',
  'resources',
  'prompts',
  'wire',
  'log',
  'requests',
  'tasks',
  'conformance',
  'access',
  'signIn',
] as const;
export type ServerTab = (typeof serverTabs)[number];

/** Only HTTP has a sign-in. */
export const hasTab = (tab: ServerTab, type: string): boolean => tab !== 'signIn' || type === 'http' || type === 'sse';
