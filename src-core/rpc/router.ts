import type { AnyContractProcedure } from '@orpc/contract';
import { implement, type AnyProcedure } from '@orpc/server';

import type { Implementation } from '../contract/implementation.ts';

type Router = Record<string, Record<string, AnyProcedure>>;

/**
 * The procedures of a contract, answered by its implementations. Inputs have passed their schemas before they come to an
 * implementation; what a client sends to a procedure without input does not reach it. Only tests check outputs against
 * the contract: lists may be long.
 * @throws {Error} If a procedure has no implementation.
 */
export function createRouter<Contract extends Record<string, Record<string, AnyContractProcedure>>>(
  contract: Contract,
  implementations: { [Area in keyof Contract]: Implementation<Contract[Area]> },
  { checkOutputs = false }: { checkOutputs?: boolean | undefined } = {},
): Router {
  // The parameter's type ties each function to its procedure, which a walk over their names cannot express.
  const functions = implementations as Record<
    string,
    Record<string, (input: unknown, signal?: AbortSignal) => unknown>
  >;
  // oRPC checks outputs around the middleware with this index, and never if none has it.
  const config = checkOutputs ? {} : { initialOutputValidationIndex: Number.NaN };
  const router: Router = {};
  for (const [area, procedures] of Object.entries(contract)) {
    router[area] = {};
    for (const [name, procedure] of Object.entries(procedures)) {
      const run = functions[area]?.[name];
      if (run === undefined) throw new Error(`The procedure ${area}.${name} has no implementation.`);
      const { inputSchema } = procedure['~orpc'];
      router[area][name] = implement(procedure, config).handler(
        async ({ input, signal }) => (await run(inputSchema && input, signal)) ?? {},
      );
    }
  }
  return router;
}
