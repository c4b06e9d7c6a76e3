import type { PictureForm } from '../postForm.ts';

/** How boards post pictures (docs/protocols/xiaozhi.md#vision). */
export const boardForm: PictureForm = Object.freeze({
  boundary: '----ESP32_CAMERA_BOUNDARY',
  chunked: true,
  timeoutMs: 30_000,
});
