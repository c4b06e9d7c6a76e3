/** px of the longer side of a picture that is sent: realtime models look at no more. */
const longest = 1_024;

/** A picture file as JPEG in base64, the form that all realtime servers take. Rejects for a file that is no picture. */
export async function readPicture(file: Blob): Promise<{ image: string; mimeType: string }> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw pictures.');
  // JPEG has no transparency: black would be in its place.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const mimeType = 'image/jpeg';
  return { image: canvas.toDataURL(mimeType, 0.85).split(',')[1] ?? '', mimeType };
}
