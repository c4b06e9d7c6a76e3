import type { discovery as english } from '../en/discovery.ts';

export const discovery: typeof english = {};
