import type { Page } from 'playwright-core';

/** What a step of the session works with. */
export interface Session {
  readonly page: Page;
  /** Where boards ask for their address. */
  readonly otaUrl: string;
}

/** One thing that a person, or a device, does. It leaves the window as it found it, but for the pane. */
export interface SessionStep {
  readonly name: string;
  run(session: Session): Promise<void>;
}
