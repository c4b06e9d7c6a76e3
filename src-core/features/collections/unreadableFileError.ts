import { RequestError } from '../../base/requestError.ts';

/** A file of a collection that is there and is not read: a link, no plain file, or one that is too large. */
export class UnreadableFileError extends RequestError {
  constructor(message: string) {
    super(message, { field: 'file' });
  }
}
