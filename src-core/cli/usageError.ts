/** The command line itself is wrong. Ends with exit code 2 and a pointer to the help. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
