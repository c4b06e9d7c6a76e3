import { expect, it } from 'vitest';

import { renderMessage } from '../../../../src-core/base/messages/message.ts';
import { zhServers } from '../../../../src-core/base/messages/zh/servers.ts';
import { reasonMessage } from '../../../../src-core/features/servers/reasonMessage.ts';

it.each([
  ['self-signed certificate; if the root CA is installed locally, try …', '服务器使用自签名证书。'],
  ['self-signed certificate in certificate chain', '本机不信任证书的颁发者。'],
  ['unable to verify the first certificate', '本机不信任证书的颁发者。'],
  ['unable to get local issuer certificate', '本机不信任证书的颁发者。'],
  ['certificate has expired', '证书已过期。'],
  [
    "Hostname/IP does not match certificate's altnames: Host: api.example. is not in the cert's altnames: DNS:x",
    '证书不适用于 api.example。',
  ],
  [
    'Endpoint origin does not match connection origin: http://other.example',
    '给出的端点位于另一个源 http://other.example。',
  ],
  ['spawn EACCES.', '“spawn EACCES”。'],
])('says %j in Chinese, or quotes it', (reason, zh) => {
  const message = reasonMessage(reason);
  expect(renderMessage(message, zhServers)).toBe(zh);
  expect(message.text).toMatch(/[^.]\.$/);
});
