import type { ContractProcedure, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta } from '@orpc/contract';

import type { Nothing } from './fields.ts';

/**
 * What implements an area of the contract: one function per procedure, called with the parsed input (`undefined` if the
 * procedure takes none) and a signal that aborts when the caller disconnects. Procedures that answer `Nothing` return nothing.
 */
export type Implementation<Area> = {
  [Name in keyof Area]: Area[Name] extends ContractProcedure<infer Input, infer Output, ErrorMap, Meta>
    ? Handler<InferSchemaOutput<Input>, InferSchemaInput<Output>>
    : never;
};

/** An implementation with further members for other parts of the engine. */
export type Service<Area> = Implementation<Area> & Record<string, unknown>;

type Handler<Input, Output> = [Output] extends [Nothing]
  ? (input: Parsed<Input>, signal?: AbortSignal) => void | Promise<void>
  : (input: Parsed<Input>, signal?: AbortSignal) => Answer<Output> | Promise<Answer<Output>>;

type Parsed<Input> = unknown extends Input ? undefined : Input;

type Answer<Output> = [Output] extends [AsyncIteratorObject<infer Event, unknown, void>]
  ? AsyncGenerator<Event, void, void>
  : Output;
