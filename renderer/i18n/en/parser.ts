export const parser = {};
