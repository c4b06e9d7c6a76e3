import type { ContentBlock } from '../../tools/types.ts';

/** The three types the firmware knows (spec/xiaozhi.md §2, schema facts). */
export type PropertyType = 'boolean' | 'integer' | 'string';

export type PropertyValue = boolean | number | string;

/** One argument of a device's tool. */
export interface VirtualProperty {
  name: string;
  type: PropertyType;
  /** A property without one is required. */
  defaultValue?: PropertyValue;
  /** Integers only. */
  minimum?: number;
  maximum?: number;
}

/** What a tool returns; scalars reach the wire as text, as the firmware sends them. */
export type VirtualAnswer = PropertyValue | ContentBlock;

/** One tool of a device. `State` is the little world the device lives in. */
export interface VirtualTool<State> {
  name: string;
  description: string;
  properties: VirtualProperty[];
  /** Listed only with `withUserTools`, and marked for the user alone. */
  userOnly?: boolean;
  /** Throws to answer with an error. Arguments are complete and of the right types. */
  run: (state: State, args: Record<string, PropertyValue>, device: VirtualHost) => VirtualAnswer;
}

/** What a running tool may do to its device. */
export interface VirtualHost {
  /** Cuts the connection without a close frame, as a restart does. */
  pullPlug: () => void;
}

/** A kind of device: who it is, its state at start, its tools. */
export interface VirtualProfile<State> {
  id: string;
  /** `serverInfo.name` of initialize, and the board's name in OTA. */
  board: string;
  firmware: string;
  createState: () => State;
  tools: VirtualTool<State>[];
}
