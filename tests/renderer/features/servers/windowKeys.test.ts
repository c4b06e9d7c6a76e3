/** The keys of the window in an MCP App, whatever the App sends. */
import { beforeEach, expect, it } from 'vitest';

import { passKeyOn, withWindowKeys } from '../../../../renderer/features/servers/app/windowKeys.ts';
import type { JsonObject } from '../../../../src-core/contract/types.ts';

const frame = document.createElement('iframe');
const pressed: string[] = [];
addEventListener('keydown', ({ ctrlKey, shiftKey, key }) => pressed.push(`${ctrlKey} ${shiftKey} ${key}`));

beforeEach(() => {
  pressed.length = 0;
  document.body.append(frame);
  frame.focus();
});

const pass = (...keys: JsonObject[]): void => keys.forEach((key) => passKeyOn(frame, key));

it('passes on the keys of panes, the palette and regions', () => {
  pass({ key: 'k', mod: true }, { key: '4', mod: true, shift: false }, { key: ',', mod: true });
  pass({ key: 'f6', mod: false, shift: true }, { key: 'f6', mod: true });
  expect(pressed).toEqual(['true false k', 'true false 4', 'true false ,', 'false true f6', 'true false f6']);
});

it('passes on no other key, and none while the App does not have the focus', () => {
  pass({}, { key: 'k' }, { key: 'k', mod: true, shift: true }, { key: 'Enter', mod: true }, { key: 's', mod: true });
  pass({ key: ['k'], mod: 'true' }, { key: 'k1', mod: true });
  document.body.append(document.createElement('button'));
  document.querySelector('button')?.focus();
  pass({ key: 'k', mod: true });
  expect(pressed).toEqual([]);
});

it('leaves the page of an App the document that it is', () => {
  expect(withWindowKeys('<!doctype html><p>')).toMatch(/^<!doctype html><script>.+<\/script><p>$/s);
  expect(withWindowKeys('<p>')).toMatch(/^<script>.+<\/script><p>$/s);
});
