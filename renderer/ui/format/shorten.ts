/** A text of at most `most` UTF-16 code units; one that was cut ends with “…”. */
export function shorten(text: string, most = 40): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
