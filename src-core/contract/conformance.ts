import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { Message } from '../base/messages/message.ts';
import { id, type Nothing } from './fields.ts';

/** The revisions that the conformance suite has requirements for. */
export const conformanceRevisions = ['2025-11-25', '2026-07-28'] as const;
export type ConformanceRevision = (typeof conformanceRevisions)[number];

/** One check of the suite. Texts are the suite's, with words of the server in them. */
export interface ConformanceCheck {
  id: string;
  description: string;
  status: 'success' | 'failure' | 'warning' | 'skipped' | 'info';
  message?: string;
  references: { id: string; url: string }[];
  /** What the suite saw, as indented JSON. */
  details?: string;
}

/**
 * `fixtures`: it calls tools, resources or prompts of names that only servers for the suite have. `capability`: the server does not
 * declare an optional capability. `http`: it is about HTTP, and the server speaks another transport. `loopback`: it is about servers of
 * this computer.
 */
export type ConformanceGap = 'fixtures' | 'capability' | 'http' | 'loopback';

export interface ConformanceScenario {
  name: string;
  /** Whether the revision requires it. */
  required: boolean;
  verdict: 'passed' | 'failed';
  /** Why it does not apply to the server. */
  gap?: { because: ConformanceGap; missing: string[] };
  checks: ConformanceCheck[];
  /** Epoch ms. */
  at: number;
  durationMs: number;
  /** Number of recorded frames; they are kept until Toolwire closes. */
  frames: number;
}

/** The last results of a server for a revision. A run of some scenarios replaces those only. */
export interface ConformanceResults {
  revision: ConformanceRevision;
  /** Epoch ms of the last run. */
  at: number;
  /** Why the last run ended early. */
  stopped?: 'cancelled' | Message;
  scenarios: ConformanceScenario[];
  /** How many of the required scenarios that have no gap passed, and how many there are. */
  passed: number;
  total: number;
}

export interface ConformanceState {
  /** The current run. */
  running?: { revision: ConformanceRevision; done: number; total: number; scenario?: string };
  results: ConformanceResults[];
}

/** A message between the suite and the server, as it was sent. */
export interface ConformanceFrame {
  at: number;
  /** `out`: from the suite to the server. */
  direction: 'in' | 'out';
  text: string;
  /** Its length in UTF-16 units, if `text` is only the beginning. */
  length?: number;
  method?: string;
  status?: number;
}

const ofServer = z.strictObject({ id });
const revision = z.enum(conformanceRevisions);
const scenario = z.string().min(1).max(200);

/** The official conformance suite of the protocol, run against a server. */
export const conformance = {
  state: oc.input(ofServer).output(type<ConformanceState>()),
  /** The scenarios of a revision, in the order in which they run. */
  scenarios: oc.input(z.strictObject({ revision })).output(type<{ required: string[]; more: string[] }>()),
  /**
   * Runs the scenarios of a revision, or only these, and resolves when the run has begun. The server must be ready. The suite uses
   * separate processes or sessions.
   */
  run: oc
    .input(z.strictObject({ id, revision, scenarios: z.array(scenario).min(1).max(100).optional() }))
    .output(type<Nothing>()),
  /** Ends the run. What has ended keeps its results. */
  cancel: oc.input(ofServer).output(type<Nothing>()),
  frames: oc.input(z.strictObject({ id, revision, scenario })).output(type<ConformanceFrame[]>()),
};
