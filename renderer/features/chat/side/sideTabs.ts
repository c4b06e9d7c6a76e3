/** What the region beside a conversation shows. */
export type SideTab = 'step' | 'next' | 'options';

export const sideTabs: readonly SideTab[] = ['step', 'next', 'options'];

/** Id of the heading of the tools that a chat offers; it takes the focus. */
export const toolsHeadingId = 'chat-tools';
