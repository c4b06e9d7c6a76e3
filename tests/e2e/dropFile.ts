import type { Page } from 'playwright-core';

/** Drops a file on the window. */
export async function dropFile(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.evaluate(
    ([fileName, base64]) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], fileName));
      for (const kind of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, Buffer.from(content).toString('base64')] as const,
  );
}
