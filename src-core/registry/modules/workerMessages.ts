import type { MessagePort } from 'node:worker_threads';

import type { JsonObject } from '../../base/json.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';
import type { ToolErrorCode } from '../../base/errors.ts';
import type { ModuleProblem } from './types.ts';

/** What a module's worker is started with. */
export interface ModuleWorkerData {
  /** Absolute path of the module. */
  file: string;
  /** Absolute path of the modules folder. */
  folder: string;
  maxResultLength: number;
  /** To the loader. Taken away before the module's code runs. */
  port: MessagePort;
}

/** From the loader to a module's worker. */
export type ToModuleWorker =
  | { type: 'call'; id: number; method: string; args: JsonObject }
  /** Aborts the signal of the handler. */
  | { type: 'abort'; id: number };

/** From a module's worker. The module's code shares its thread and could send anything: `readModuleMessage` checks. */
export type FromModuleWorker =
  /** A file of the folder belongs to this module. */
  | { type: 'imported'; file: string }
  /** A `LoadedModule` as JSON text: cloned, an exact number of a schema would be none any more. */
  | { type: 'loaded'; json: string }
  | { type: 'failed'; problem: ModuleProblem }
  | { type: 'progress'; id: number; progress: ToolProgress }
  /** The result as JSON text: nothing else crosses, so nothing fails to be cloned. */
  | { type: 'done'; id: number; json: string }
  | { type: 'error'; id: number; error: ModuleCallError };

/** How a call failed inside the worker. */
export interface ModuleCallError {
  code: ToolErrorCode;
  message: string;
  /** `file.ts:12:5`, if the stack names one. */
  location?: string;
  /** The kind of the error and its frames in the folder, one per line; in addition to `location`. */
  trace?: string;
}
