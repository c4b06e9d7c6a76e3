/** A picture as its file holds it. */
export interface Picture {
  data: Uint8Array<ArrayBuffer>;
  /** `image/jpeg`, `image/png`. */
  mimeType: string;
}

/** One grey pixel as PNG, for who has no camera: a picture that viewers and models take. */
export const simulatedPicture: Picture = Object.freeze({
  mimeType: 'image/png',
  data: Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ),
});
