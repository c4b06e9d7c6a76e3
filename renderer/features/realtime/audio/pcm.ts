/** Samples of −1 to 1 as 16 bit; what is louder is cut off. */
export function pcmFromFloats(floats: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(floats, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
}

/** Samples of 16 bit as −1 to 1. */
export function floatsFromPcm(pcm: Int16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(pcm, (value) => value / 32_768);
}

/** Bytes put into text at once: an argument list has no room for more. */
const slice = 8_192;

/** 16 bit little-endian, in base64. */
export function base64FromPcm(pcm: Int16Array): string {
  return base64FromBytes(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
}

export function base64FromBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += slice) text += String.fromCharCode(...bytes.subarray(at, at + slice));
  return btoa(text);
}

/** The samples that `base64FromPcm` wrote; a byte too many is left out. */
export function pcmFromBase64(base64: string): Int16Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length - (text.length % 2));
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new Int16Array(bytes.buffer);
}

/** Pieces in one, in order. */
export function joinPcm(pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
