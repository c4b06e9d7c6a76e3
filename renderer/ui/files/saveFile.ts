/** Downloads a file through the browser or Electron, into the user's download folder. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Once started, the download keeps the content alive.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
