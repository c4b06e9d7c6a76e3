import packageJson from '../../package.json' with { type: 'json' };

/** Toolwire's version, as in package.json. */
export const { version } = packageJson;
