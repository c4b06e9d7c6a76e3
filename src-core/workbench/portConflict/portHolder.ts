/** The program that listens on a port, as far as the system tells. */
export interface PortHolder {
  /** A short name for people: `Toolwire`, `node server.js`, `nginx`. */
  program?: string;
  pid?: number;
}
