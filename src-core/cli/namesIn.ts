/** The names of a flag's value, with commas between them. */
export function namesIn(text = ''): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}
