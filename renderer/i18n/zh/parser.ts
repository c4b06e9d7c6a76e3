import type { parser as english } from '../en/parser.ts';

export const parser: typeof english = {};
