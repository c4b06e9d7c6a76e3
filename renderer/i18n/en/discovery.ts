export const discovery = {};
