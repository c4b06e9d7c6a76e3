/** What the program ends with. */
export const exitCodes = Object.freeze({ ok: 0, failed: 1, usage: 2 });
