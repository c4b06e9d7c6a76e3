/** The workbench itself: its start and end, its files, its connection. */
export const workbench = { 'workbench.closing': 'Toolwire is closing.' };
