import type { Page } from 'playwright-core';

/** What goes wrong in a page from now on: errors nobody caught, and what its console warns of. */
export function watchPage(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  return problems;
}
