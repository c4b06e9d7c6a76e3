import type { Page } from 'playwright-core';

/** The visible controls of a page that a part of the window cuts off, or that lie outside it: what they are called, and why. */
export function findCutControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = 'button, input, select, textarea, [role="switch"], [role="tab"]';
    const cut: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      const { left, right, width, height } = control.getBoundingClientRect();
      const isShown = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isShown || width < 2 || height < 2) continue;
      const name = control.getAttribute('aria-label') ?? control.textContent.trim().replaceAll(/\s+/g, ' ');
      const isInput = control.matches('input, textarea');
      if (!isInput && control.scrollWidth > control.clientWidth + 1) cut.push(`${name}: its text does not fit`);
      for (let part = control.parentElement; part !== null; part = part.parentElement) {
        const { overflowX } = getComputedStyle(part);
        // What can be scrolled is not cut.
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        const bounds = part.getBoundingClientRect();
        const isOutside = right > bounds.right + 1 || left < bounds.left - 1;
        if (isOutside && (overflowX === 'hidden' || overflowX === 'clip' || part === document.body)) {
          cut.push(`${name}: cut by ${part.className || part.tagName}`);
          break;
        }
      }
    }
    return cut;
  });
}
