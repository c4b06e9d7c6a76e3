/** Requests to the model in one turn, by default. */
export const defaultMaxTurns = 10;

/** The error of a turn that did not come to an end. */
export function turnLimitError(maxTurns: number): Error {
  return new Error(
    `The model still called tools after ${maxTurns} requests in one turn. Raise maxTurns, or tell it when to stop.`,
  );
}
