/** Hands a file to the browser, or to Electron, to be saved where the person keeps downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download holds on to the content by itself, once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
