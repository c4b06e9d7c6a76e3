/** VCPToolBox's control fields (docs/protocols/vcp.md#dialects): they steer the host and are no arguments. */
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

/** What the control fields take whose values are fixed. */
export const controlForms = new Map([
  ['archery', { values: 'true or no_reply', test: /^(true|no_reply)$/ }],
  ['ink', { values: 'mark_history', test: /^mark_history$/ }],
  ['river', { values: 'full, text, last:N or semantic:N', test: /^(full|text|(last|semantic):\d+)$/ }],
]);

/** Few keys have the length of a control field: most need no comparison. */
const byLength = Map.groupBy(controlFields, ({ length }) => length);

/** Whether a key is one of the control fields. */
export function isControlField(key: string): boolean {
  return byLength.get(key.length)?.includes(key) ?? false;
}

/** `valet` replaces `maid` if that is absent. Changes `control`. */
export function mirrorValet(control: Record<string, string>): void {
  if (control.valet !== undefined && control.maid === undefined) control.maid = control.valet;
}
