/** What the region beside a conversation shows. */
export type SideTab = 'step' | 'next' | 'options';

export const sideTabs: readonly SideTab[] = ['step', 'next', 'options'];
