/** This machine's offset from UTC at a moment, as RFC 3339 writes it: `Z`, `+08:00`. */
export function zoneOf(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  if (minutes === 0) return 'Z';
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
