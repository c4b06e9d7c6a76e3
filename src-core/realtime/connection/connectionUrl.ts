import { RequestError } from '../../base/requestError.ts';

/**
 * The address of a model on a server: `wss://host/v1/realtime` with `?model=`; what else the address asks stays.
 * @throws RequestError that names `url` or `model`.
 */
export function connectionUrl(address: string, model: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'wss:' && url.protocol !== 'ws:'))
    throw new RequestError('The address of a realtime server begins with wss:// or ws://.', { field: 'url' });
  if (url.username !== '' || url.password !== '')
    throw new RequestError('The address must not contain a user name or a password: the key has its own field.', {
      field: 'url',
    });
  if (model.trim() === '') throw new RequestError("The model's name is missing.", { field: 'model' });
  url.hash = '';
  url.searchParams.set('model', model.trim());
  return url;
}
