import { describeThrown } from './describeThrown.ts';

/** Receives an error that belongs to no call: a listener, a hook or a protocol that threw. */
export type ErrorReporter = (error: unknown, where: string) => void;

/** The default reporter: a Node warning on stderr, so that nothing is hidden and nothing stops. */
export const reportError: ErrorReporter = (error, where) => {
  process.emitWarning(`${where}: ${describeThrown(error)}`, { type: 'ToolwireWarning' });
};
