/** A tool module that is not what it should be. Made in the worker; reaches the engine as a `ModuleProblem`. */
export class ModuleFault extends Error {
  /** What to do about it, in a sentence. */
  readonly fix: string;
  /** A word of the source at whose line the fault is. */
  readonly near: string;
  /** The method in which the word is looked for first. */
  readonly within: string;

  constructor(message: string, fix: string, near: string, within = '') {
    super(message);
    this.within = within;
    this.name = 'ModuleFault';
    this.fix = fix;
    this.near = near;
  }
}
