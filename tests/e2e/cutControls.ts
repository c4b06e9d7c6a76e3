import type { Page } from 'playwright-core';

/** What every pane fits into: the usual window, a large one, and the usual one at 150 % zoom. */
export const windowSizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 853, height: 533 },
];

/**
 * The visible controls of a page that a part of the window cuts off, or that lie outside it, and the rows whose texts do not fit or
 * touch: what they are called, and why. In each of `sizes`; afterwards the window is as it was.
 */
export async function findCutControls(page: Page, sizes = windowSizes): Promise<string[]> {
  const before = page.viewportSize();
  const cut: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    cut.push(...(await findCutNow(page)).map((line) => `${size.width} px: ${line}`));
  }
  if (before) await page.setViewportSize(before);
  return cut;
}

function findCutNow(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Splitters and lists measure themselves in one frame and are drawn in the next.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const cut: string[] = [];
    const isShown = (element: HTMLElement): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width >= 2 && height >= 2 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const nameOf = (element: Element): string =>
      element.getAttribute('aria-label') ?? (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');

    const isText = (element: Element | undefined): element is Element =>
      element !== undefined &&
      element.textContent?.trim() !== '' &&
      !element.querySelector('svg, .visually-hidden, .cut');

    const pen = document.createElement('canvas').getContext('2d');
    const isPlaceholderShown = (input: HTMLInputElement): boolean => {
      const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(input);
      if (pen === null || input.tagName !== 'INPUT') return true;
      pen.font = `${fontSize} ${fontFamily}`;
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return pen.measureText(input.placeholder).width <= room + 1;
    };

    const controls = 'button, input, select, textarea, [role="switch"], [role="tab"]';
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      if (!isShown(control)) continue;
      const { left, right } = control.getBoundingClientRect();
      const isInput = control.matches('input, textarea');
      if (!isInput && control.scrollWidth > control.clientWidth + 1)
        cut.push(`${nameOf(control)}: its text does not fit`);
      if (isInput && !isPlaceholderShown(control as HTMLInputElement))
        cut.push(`${nameOf(control)}: its placeholder does not fit`);
      for (let part = control.parentElement; part !== null; part = part.parentElement) {
        const { overflowX, scrollbarWidth } = getComputedStyle(part);
        const isScrolled = overflowX === 'auto' || overflowX === 'scroll';
        // What can be scrolled is not cut, if a bar or a menu says that there is more, or as the Executor's open tabs are.
        const hasMenu = part.parentElement?.querySelector(':scope > [aria-haspopup="menu"]') !== null;
        if (isScrolled && (scrollbarWidth !== 'none' || part.role === 'tablist' || hasMenu)) break;
        const bounds = part.getBoundingClientRect();
        const isOutside = right > bounds.right + 1 || left < bounds.left - 1;
        const cuts = overflowX !== 'visible' || part.matches('body, .split-main, .split-side');
        if (isOutside && cuts) {
          cut.push(`${nameOf(control)}: cut by ${part.className || part.tagName}`);
          break;
        }
      }
    }

    for (const row of document.querySelectorAll<HTMLElement>('[role="option"], [role="log"] > *')) {
      if (!isShown(row)) continue;
      if (row.scrollHeight > row.clientHeight + 1) cut.push(`${nameOf(row)}: higher than its row`);
      const grids = [row, ...row.querySelectorAll('*')].filter((part) => getComputedStyle(part).display === 'grid');
      for (const { children } of grids) {
        for (let at = 1; at < children.length; at++) {
          const [before, after] = [children[at - 1], children[at]];
          if (!isText(before) || !isText(after)) continue;
          const [one, other] = [before, after].map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            const { top, bottom, left, right } = range.getBoundingClientRect();
            const box = part.getBoundingClientRect();
            // An ellipsis ends at the box.
            return { top, bottom, left, right: part.matches('.cut') ? Math.min(right, box.right) : right };
          }) as [DOMRect, DOMRect];
          const isBeside = one.top < other.bottom && other.top < one.bottom && one.left < other.left;
          if (isBeside && other.left - one.right < 3) cut.push(`${nameOf(before)} touches ${nameOf(after)}`);
        }
      }
    }
    return cut;
  });
}
