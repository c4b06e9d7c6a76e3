const maxBytes = 1_024;

/**
 * Bytes of a hexadecimal text: two digits a byte, with or without spaces, commas and `0x`.
 * @throws {Error} If it is not hexadecimal, or has more than 1,024 bytes.
 */
export function readHex(text: string): Uint8Array {
  if (text.length > 8 * maxBytes) throw tooLong();
  const digits = text.replace(/0x/gi, '').replace(/[\s,]/g, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits))
    throw new Error('"hex" 必须是十六进制字符串，每个字节两位，例如 "A1 F1 04 FB 08"');
  const bytes = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (bytes.length > maxBytes) throw tooLong();
  return bytes;
}

/** `A1 F1 04`. */
export function formatHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}

function tooLong(): Error {
  return new Error(`红外编码最多 ${maxBytes} 字节`);
}
