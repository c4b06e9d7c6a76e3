import { describeThrown } from './describeThrown.ts';

/** Where an error goes that belongs to nobody's call: a listener, a hook or a protocol that threw. */
export type ErrorReporter = (error: unknown, where: string) => void;

/** The reporter where none was passed in: a Node warning on stderr, so that nothing is hidden and nothing stops. */
export const reportError: ErrorReporter = (error, where) => {
  process.emitWarning(`${where}: ${describeThrown(error)}`, { type: 'ToolwireWarning' });
};
