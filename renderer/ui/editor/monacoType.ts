import type * as monaco from './monaco.ts';

/** The lazy chunk's exports. Everything outside this folder sees Monaco through components only. */
export type Monaco = typeof monaco;
