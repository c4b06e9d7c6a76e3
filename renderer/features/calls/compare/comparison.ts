/** What a line, or a value, of one result is to the other: `added` stands only in the second, `removed` only in the first. */
export type DifferenceKind = 'added' | 'removed' | 'changed';

/** One line of both results side by side. */
export interface ComparedRow {
  kind: DifferenceKind | 'same';
  depth: number;
  left?: string;
  right?: string;
}

/** One value of JSON, or one line of text, that differs. */
export interface Difference {
  kind: DifferenceKind;
  /** Its first row. */
  row: number;
  /** `$.rows[0].name`; absent of text. */
  path?: string;
}

export interface Comparison {
  /** As JSON, by key and index; or as text, line by line. */
  by: 'json' | 'text';
  rows: ComparedRow[];
  differences: Difference[];
  /** There is more than was compared. */
  cut: boolean;
}

/** Lines beyond which nothing is compared: the user reads no more, and each is kept. */
export const maxRows = 50_000;
