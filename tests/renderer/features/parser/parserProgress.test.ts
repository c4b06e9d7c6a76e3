/** How far a run of all calls of a text is. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { block, button, colon, pane, store, useParserPane, write } from './parserWindow.ts';

useParserPane();

const first = block(['tool_name', 'lamp_set'], ['level', '1']);
const asking = block(['tool_name', 'lamp_off']);

/** jsdom scrolls nothing by itself. */
function scrollForReal(): void {
  const define = (name: string, descriptor: PropertyDescriptor): void => {
    const before = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, { configurable: true, ...descriptor });
    onTestFinished(() => {
      Reflect.deleteProperty(Element.prototype, name);
      if (before !== undefined) Object.defineProperty(Element.prototype, name, before);
    });
  };
  define('scrollHeight', { get: () => 100_000 });
  define('scrollTo', {
    value(this: Element, { top = 0 }: ScrollToOptions) {
      this.scrollTop = top;
      this.dispatchEvent(new Event('scroll'));
    },
  });
}

const label = () => pane.get('.parser-head .primary .word').text();

describe('the Parser while all calls run', () => {
  it('counts those that have ended, in a width that does not change', async () => {
    const unfit = block(['tool_name', 'lamp_set'], ['level', 'high']);
    await write([...Array.from({ length: 10 }, () => first), unfit, colon, asking].join('\n'));
    await vi.waitUntil(() => pane.text().includes('Calls 13'));
    button('Run 11 of 13 calls').click();
    await vi.waitUntil(() => store().waiting.length === 1);
    await vi.waitUntil(() => label() === 'Running 10 of 11');
    expect(store().waiting).toHaveLength(1);
    expect(pane.find('.parser-head .primary .kbd').exists()).toBe(false);
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'done');
  });

  it('shows the card of the call that runs, until the user scrolls', async () => {
    scrollForReal();
    const part = [...Array.from({ length: 12 }, () => first), asking].join('\n');
    await write(`${part}\n${part}`);
    await vi.waitUntil(() => pane.text().includes('Calls 26'));
    expect(pane.text()).not.toContain('lamp_off');
    const list = pane.get<HTMLElement>('[aria-label="Calls"] .virtual');
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    await list.trigger('wheel');
    list.element.scrollTo({ top: 0 });
    await store().decide(store().waiting[0]!.id, { action: 'approve' });
    await vi.waitUntil(() => label() === 'Running 25 of 26');
    expect(list.element.scrollTop).toBe(0);
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'done');
  });

  it('counts in the result every card that the list counts', async () => {
    const unfit = block(['tool_name', 'lamp_set'], ['level', 'high']);
    await write([first, unfit, colon, colon].join('\n'));
    await vi.waitUntil(() => pane.text().includes('Calls 4'));
    expect(pane.get('.not-run').text()).toBe('3 not run');
    button('Run 1 of 4 calls').click();
    await vi.waitUntil(() => pane.find('.cycle .tag').exists());
    expect(pane.findAll('.cycle .tag').map((tag) => tag.text())).toEqual(['1 succeeded', '3 not run']);
  });
});
