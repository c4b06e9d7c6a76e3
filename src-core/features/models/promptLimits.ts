/** Functions that a request offers at once: OpenAI refuses more. */
export const maxFunctions = 128;
/** Tokens of a prompt above which the window warns: many models that run locally take no more. */
export const manyTokens = 32_000;
