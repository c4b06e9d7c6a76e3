/** Whether a file belongs to a collection by its name, which is its mark (docs/collections.md). */
export function isOfCollection(name: string): boolean {
  return name === 'toolwire.json' || name.endsWith('.call.json');
}
