/** Milliseconds as window, terminal and errors show them: `0.42 ms`, `2.6 ms`, `184 ms`, `2.41 s`, `3 m 12 s`, `1 h 30 m`. Clocks are no finer than a µs. */
export function formatDuration(ms: number): string {
  if (ms < 0.001) return '<1 ms';
  if (ms < 1_000) return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} m ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** A limit as it was set, which is exact, unlike what is measured: `250 ms`, `1.5 s`, `300 s`. */
export function formatLimit(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}
