import type { MethodMetadata } from '../../base/toolTypes.ts';

/** What a module may take of this machine. */
export interface ModuleLimits {
  /** Milliseconds of processor time that a file may take until it has described its tool. */
  loadCpuMs: number;
  /** Milliseconds that may pass until then. */
  loadWaitMs: number;
  /** ms in which an aborted handler can stop by itself before its worker is terminated. */
  abortGraceMs: number;
  /** Megabytes of JavaScript heap for one module. */
  maxHeapMb: number;
  /** Characters of one result's JSON text. */
  maxResultLength: number;
  /** Maximum number of files that are loaded from the folder, by name. Further files are skipped and reported. */
  maxModules: number;
}

/** Room for a tool that works with files and pictures, and an end for one that has run wild. */
export const defaultModuleLimits: Readonly<ModuleLimits> = Object.freeze({
  loadCpuMs: 5_000,
  loadWaitMs: 60_000,
  abortGraceMs: 250,
  maxHeapMb: 256,
  maxResultLength: 32 * 1024 * 1024,
  maxModules: 200,
});

/** A tool as its module describes it, checked. A method that is wrong has an `error`. */
export interface LoadedModule {
  /** What is wrong with the tool itself; its methods can be called. */
  error?: string;
  name?: string;
  description?: string;
  methods: MethodMetadata[];
}

/** What is wrong with a module, its position, and the remedy. */
export interface ModuleProblem {
  message: string;
  fix: string;
  /** Absolute path, if it is not the module's own file. */
  file?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  column?: number;
}
