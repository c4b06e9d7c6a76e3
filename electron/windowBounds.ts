import type { Rectangle } from 'electron';

import type { JsonValue } from '../src-core/base/json.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import { minimumSize } from './windowOptions.ts';

/** Milliseconds of rest after which a moved window is remembered. */
const restMs = 400;

/** The remembered place, if it still makes sense: whole numbers, not too small, on a screen that is there. */
export function rememberedBounds(
  stored: JsonValue | undefined,
  screen: ElectronParts['screen'],
): { bounds: Partial<Rectangle>; maximized: boolean } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return { bounds: {}, maximized: false };
  const maximized = stored['maximized'] === true;
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => stored[key]);
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return { bounds: {}, maximized };
  const bounds = { x, y, width: Math.max(width, minimumSize.width), height: Math.max(height, minimumSize.height) };
  const { workArea } = screen.getDisplayMatching(bounds);
  const visible =
    bounds.x < workArea.x + workArea.width - 100 &&
    bounds.x + bounds.width > workArea.x + 100 &&
    bounds.y >= workArea.y - 10 &&
    bounds.y < workArea.y + workArea.height - 50;
  const { width: keptWidth, height: keptHeight } = bounds;
  return { bounds: visible ? bounds : { width: keptWidth, height: keptHeight }, maximized };
}

/** Remembers a window's place whenever it rests and when it closes. Gives the function that remembers it at once. */
export function keepBounds(window: WindowPart, write: (bounds: JsonValue) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const save = (): void => {
    clearTimeout(timer);
    if (!closed) write({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, restMs);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('close', save);
  window.on('closed', () => {
    clearTimeout(timer);
    closed = true;
  });
  return save;
}

function isWhole(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 100_000;
}
