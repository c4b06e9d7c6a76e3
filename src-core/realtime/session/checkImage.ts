import { RequestError } from '../../base/requestError.ts';
import { realtimeLimits } from '../limits.ts';

/** @throws RequestError for what no server takes as a picture */
export function checkImage(data: Uint8Array, mimeType: string): void {
  if (!/^image\/[a-z0-9.+-]+$/.test(mimeType))
    throw new RequestError('The picture must have a type such as image/jpeg.', { field: 'mimeType' });
  if (data.length === 0) throw new RequestError('The picture is empty.', { field: 'image' });
  if (data.length <= realtimeLimits.imageBytes) return;
  throw new RequestError(`The picture has more than ${realtimeLimits.imageBytes} bytes. Make it smaller.`, {
    field: 'image',
  });
}
