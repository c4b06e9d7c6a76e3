import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Every colour token as `[light, dark]`, read from the one place they stand in. */
const css = readFileSync(join(import.meta.dirname, '../../../../renderer/ui/styles/tokens.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map((match) => [
    match[1] ?? '',
    [match[2] ?? '', match[3] ?? ''] as const,
  ]),
);

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(front: string, back: string): number {
  const [lighter = 0, darker = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const surfaces = [
  'bg-chrome',
  'bg-sunken',
  'bg-pane',
  'bg-raised',
  'bg-control',
  'bg-hover',
  'bg-active',
  'bg-selected',
];
const rows = ['bg-pane', 'bg-sunken', 'bg-raised', 'bg-hover', 'bg-selected'];
const states = ['ok', 'warn', 'error', 'info', 'pending'];
const json = ['json-string', 'json-number', 'json-word', 'vcp-key'];
const vcp = ['vcp-marker', 'vcp-key', 'vcp-delim', 'vcp-value', 'vcp-name', 'vcp-control'];

/** WCAG 2.2 AA: 4.5 for text, 3 for marks and for the lines that say where a control is. */
const pairs: [minimum: number, fronts: string[], backs: string[]][] = [
  [4.5, ['text', 'text-2', 'text-3'], surfaces],
  [4.5, ['text', 'text-2'], states.map((state) => `${state}-tint`)],
  [4.5, ['accent'], [...surfaces, 'accent-tint']],
  [4.5, ['on-accent'], ['accent-fill', 'accent-fill-hover', 'error-fill']],
  ...states.map((state): [number, string[], string[]] => [
    4.5,
    [state],
    [...rows, 'bg-chrome', 'bg-control', `${state}-tint`],
  ]),
  ...states.map((state): [number, string[], string[]] => [
    3,
    [`${state}-mark`],
    [...rows, 'bg-chrome', `${state}-tint`],
  ]),
  [4.5, ['builtin', 'module', 'device', 'gateway', 'mcp'].map((kind) => `src-${kind}`), [...rows, 'bg-chrome']],
  [4.5, json, ['bg-pane', 'bg-sunken', 'bg-hover', 'bg-selected']],
  [4.5, vcp, ['bg-pane', 'bg-hover', 'error-tint', 'warn-tint', 'vcp-code-bg', 'vcp-reason-bg', 'vcp-echo-bg']],
  ...['vcp-reason', 'vcp-code', 'vcp-echo'].map((name): [number, string[], string[]] => [
    4.5,
    [name],
    ['bg-pane', `${name}-bg`],
  ]),
  [3, ['line-control', 'accent-line'], ['bg-pane', 'bg-sunken', 'bg-raised', 'bg-control', 'bg-chrome']],
  [3, ['accent-fill'], ['bg-pane', 'bg-chrome', 'bg-sunken']],
];

it.each([
  ['light', 0],
  ['dark', 1],
] as const)('every pair of colours in use can be read in the %s theme', (_, theme) => {
  const unreadable = pairs.flatMap(([minimum, fronts, backs]) =>
    fronts.flatMap((front) =>
      backs.flatMap((back) => {
        const colours = [tokens.get(front)?.[theme], tokens.get(back)?.[theme]];
        if (!colours[0] || !colours[1]) return [`${front} on ${back}: no such token`];
        const ratio = contrast(colours[0], colours[1]);
        return ratio < minimum ? [`${front} on ${back}: ${ratio.toFixed(2)} < ${minimum}`] : [];
      }),
    ),
  );
  expect(unreadable).toEqual([]);
});
