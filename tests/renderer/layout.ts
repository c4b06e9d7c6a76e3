type Size = { width: number; height: number };

/** jsdom lays nothing out: gives every element a size, so that lists have a view and rows in it. Returns how to undo it. */
export function giveLayout(size: Size = { width: 1_000, height: 600 }): () => void {
  const undo = [
    define(HTMLElement.prototype, 'offsetWidth', () => size.width),
    define(HTMLElement.prototype, 'offsetHeight', () => size.height),
    define(Element.prototype, 'clientWidth', () => size.width),
    define(Element.prototype, 'clientHeight', () => size.height),
    define(Element.prototype, 'scrollIntoView', () => () => undefined),
    define(globalThis, 'ResizeObserver', () => observerOf(size)),
  ];
  return () => undo.forEach((step) => step());
}

/** Answers the window's media queries as a window narrower than 1,100 px would. Returns how to undo it. */
export function giveNarrowWindow(): () => void {
  return define(globalThis, 'matchMedia', () => (media: string) => {
    return Object.assign(new EventTarget(), { media, matches: media.includes('max-width'), onchange: null });
  });
}

function define(target: object, name: string, get: () => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, get });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}

/** A ResizeObserver that tells the one size once, when observing starts. */
function observerOf(size: Size): typeof ResizeObserver {
  return class implements ResizeObserver {
    readonly #callback: ResizeObserverCallback;
    constructor(callback: ResizeObserverCallback) {
      this.#callback = callback;
    }
    observe(target: Element): void {
      const box = [{ inlineSize: size.width, blockSize: size.height }];
      const contentRect = {
        x: 0,
        y: 0,
        top: 0,
        left: 0,
        right: size.width,
        bottom: size.height,
        ...size,
        toJSON: () => size,
      };
      const entry = { target, contentRect, borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box };
      queueMicrotask(() => this.#callback([entry], this));
    }
    unobserve(): void {
      // It has said all it will.
    }
    disconnect(): void {
      // It has said all it will.
    }
  };
}
