import { zhCalls } from './calls.ts';
import { zhChat } from './chat.ts';
import { zhWorkbench } from './workbench.ts';

/** The Chinese catalogue. */
export const zh = {
  ...zhCalls,
  ...zhChat,
  ...zhWorkbench,
};
