import { warning } from '../../diagnostics.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpRegion, VcpRequest } from '../types.ts';

/** What a host makes of a finished text. */
export interface HostReading {
  requests: VcpRequest[];
  diagnostics: VcpDiagnostic[];
  regions: VcpRegion[];
}

/** What reading as a host needs. */
export interface HostReadingOptions {
  newId: (position: number) => string;
}

/** A field as a host finds it, in offsets of the text that the host looks at. */
export interface HostField {
  key: string;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
  end: number;
  escaped: boolean;
}

/** Something a host does that its user would not expect. */
export const hostDefect = (range: TextRange, message: string) => warning('host-defect', range, message);
