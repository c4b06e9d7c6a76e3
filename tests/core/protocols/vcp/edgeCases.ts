import { existsSync, readFileSync } from 'node:fs';

/** A row of spec/vcp-edge-cases.jsonl: an input, and what each reference host returned for it. */
export interface EdgeCase {
  id: string;
  text: string;
  vcptoolbox: { name: string; args: Record<string, string> }[];
  /** Recorded only where the tolerant reading differs. */
  vcptoolbox_fuzzy?: { name: string; args: Record<string, string> }[];
  aiohub: {
    toolId: string;
    methodName: string;
    toolName: string;
    args: Record<string, string>;
    validation: { isValid: boolean };
  }[];
}

const file = new URL('../../../../../shared/spec/vcp-edge-cases.jsonl', import.meta.url);

/** Whether the oracle lies beside the repository. */
export const haveEdgeCases = existsSync(file);

/** All rows of the oracle, in its order; none where it is absent. */
export const edgeCases: readonly EdgeCase[] = haveEdgeCases
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as EdgeCase)
  : [];
