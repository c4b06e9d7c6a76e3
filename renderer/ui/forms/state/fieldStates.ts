import { shallowReactive } from 'vue';

import { pathKey, type JsonPath } from '../json/jsonNode.ts';

/** The state of a form's fields besides their values, by path. */
export interface FieldStates {
  /** Text of a JSON field that is not valid yet and therefore not in the arguments. */
  drafts: Map<string, string>;
  /** The variant the user chose, if the value alone is ambiguous. */
  picked: Map<string, number>;
  /** Fields that the user shows as JSON. */
  asJson: Set<string>;
  /** Texts that the user edits in several lines. */
  manyLines: Set<string>;
  /** Shows the control of an optional field that has no value yet. */
  open: (path: JsonPath) => void;
  isOpen: (path: JsonPath) => boolean;
}

/** The saved field states of one form, for `restore`. */
export type SavedStates = readonly (readonly (readonly [key: string, value: unknown])[])[];

interface FieldStateEdits {
  save: () => SavedStates;
  /** Restores the saved states. Clears all states if there are none. */
  restore: (saved?: SavedStates) => void;
  /** Removes the states of the value at a path and all inside it. If it is an item, the items after it move up. */
  forget: (path: JsonPath) => void;
  /** Clears the states of a replaced value at a path: drafts at it and inside it, and variants chosen inside it. */
  renew: (path: JsonPath) => void;
  /** Removes the drafts and choices at the paths that `gone` matches. */
  drop: (gone: { draft: (path: JsonPath) => boolean; pick: (path: JsonPath) => boolean }) => void;
  swap: (path: JsonPath, a: number, b: number) => void;
}

/** Keeps field states with their values: when an item moves, its states move along. */
export function createFieldStates(): FieldStates & FieldStateEdits {
  const drafts = shallowReactive(new Map<string, string>());
  const picked = shallowReactive(new Map<string, number>());
  const asJson = shallowReactive(new Set<string>());
  const opened = shallowReactive(new Set<string>());
  const manyLines = shallowReactive(new Set<string>());

  const all: (Map<string, unknown> | Set<string>)[] = [drafts, picked, asJson, opened, manyLines];

  /** Moves or removes the states of every path inside the list or object at `path`. */
  function move(path: JsonPath, to: (step: string | number) => string | number | undefined): void {
    for (const states of all) {
      const moved = [...states.keys()].flatMap((key) => {
        const place = JSON.parse(key) as JsonPath;
        const step = place[path.length];
        if (step === undefined || pathKey(place.slice(0, path.length)) !== pathKey(path)) return [];
        return [{ key, place, now: to(step), value: states instanceof Map ? states.get(key) : undefined }];
      });
      for (const { key } of moved) states.delete(key);
      for (const { place, now, value } of moved) {
        if (now === undefined) continue;
        const key = pathKey([...place.slice(0, path.length), now, ...place.slice(path.length + 1)]);
        put(states, key, value);
      }
    }
  }

  return {
    drafts,
    picked,
    asJson,
    manyLines,
    open: (path) => void opened.add(pathKey(path)),
    isOpen: (path) => opened.has(pathKey(path)),
    save: () => all.map((states) => [...states.entries()]),
    restore(saved = []) {
      for (const [at, states] of all.entries()) {
        states.clear();
        for (const [key, value] of saved[at] ?? []) put(states, key, value);
      }
    },
    forget(path) {
      const last = path.at(-1);
      move(path.slice(0, -1), (step) => {
        if (step === last) return undefined;
        return typeof step === 'number' && typeof last === 'number' && step > last ? step - 1 : step;
      });
    },
    renew(path) {
      const inside = (place: JsonPath): boolean => path.every((step, at) => place[at] === step);
      drop(drafts, inside);
      drop(picked, (place) => place.length > path.length && inside(place));
    },
    drop(gone) {
      drop(drafts, gone.draft);
      drop(picked, gone.pick);
    },
    swap: (path, a, b) => move(path, (step) => (step === a ? b : step === b ? a : step)),
  };
}

function drop(states: Map<string, unknown>, gone: (path: JsonPath) => boolean): void {
  for (const key of [...states.keys()]) if (gone(JSON.parse(key) as JsonPath)) states.delete(key);
}

function put(states: Map<string, unknown> | Set<string>, key: string, value: unknown): void {
  if (states instanceof Set) states.add(key);
  else states.set(key, value);
}
