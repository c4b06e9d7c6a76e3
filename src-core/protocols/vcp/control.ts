/** VCPToolBox's control fields (spec/vcp.md §4): they steer the host and are no arguments. */
export const controlFields: readonly string[] = [
  'archery',
  'ink',
  'river',
  'vref',
  'timely_contact',
  'maid',
  'valet',
  'tool_password',
];

const controlSet = new Set(controlFields);

/** Whether a key is one of the control fields. */
export function isControlField(key: string): boolean {
  return controlSet.has(key);
}

/** `valet` stands in for `maid` where that is absent. Changes `control`. */
export function mirrorValet(control: Record<string, string>): void {
  if (control.valet !== undefined && control.maid === undefined) control.maid = control.valet;
}
