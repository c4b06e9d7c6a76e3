/** Samples, 16 bit signed little-endian, as numbers. A last odd byte is left out. Copies: a `Buffer` may lie at any address. */
export function pcmFromBytes(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pcm = new Int16Array(bytes.byteLength >> 1);
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = view.getInt16(at * 2, true);
  return pcm;
}

/** Samples as bytes, 16 bit signed little-endian. */
export function bytesFromPcm(pcm: Int16Array): Uint8Array {
  const bytes = new Uint8Array(pcm.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, sample] of pcm.entries()) view.setInt16(at * 2, sample, true);
  return bytes;
}

/** Samples from -1 to 1. */
export function floatFromPcm(pcm: Int16Array): Float32Array {
  return Float32Array.from(pcm, (sample) => sample / 32_768);
}

/** Samples of 16 bit, rounded; what is louder than full scale is cut to it, and what is not a number is silence. */
export function pcmFromFloat(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => {
    const scaled = Math.round(sample * 32_768);
    return Number.isNaN(scaled) ? 0 : Math.max(-32_768, Math.min(32_767, scaled));
  });
}
