import type { workbench } from '../en/workbench.ts';
import type { Translation } from '../message.ts';

export const zhWorkbench: Translation<typeof workbench> = { 'workbench.closing': 'Toolwire 正在关闭。' };
