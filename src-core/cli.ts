#!/usr/bin/env node
/** The terminal's entry. Looks at Node's version before anything that an older one could not even load. */
const needed = 24;

// A package runs this file in Electron as Node. What it starts, such as a browser, must not get the variable.
delete process.env['ELECTRON_RUN_AS_NODE'];

if (Number(process.versions.node.split('.', 1)[0]) < needed) {
  process.stderr.write(
    `Toolwire needs Node ${needed} or newer; this is ${process.versions.node}. Get it from https://nodejs.org, ` +
      'or run "npm start" in the sources, which bring their own.\n',
  );
  process.exitCode = 1;
} else {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'mcp' && !rest.includes('--help') && !rest.includes('-h')) {
    const { takeStandardOutput } = await import('./cli/mcpStreams.ts');
    takeStandardOutput();
  }
  const { main } = await import('./cli/main.ts');
  await main();
}

export {};
