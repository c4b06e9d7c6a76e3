/** What `npm run build` leaves in dist/. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { dataDirWith, sampleModule } from './cliProcess.ts';
import { strictTsc } from '../../helpers/strictTsc.ts';

const dist = resolve('dist');

function node(args: string[], cwd = process.cwd()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, CI: '1' },
  });
  return { status, stdout, stderr };
}

/** A project that has installed us. */
function consumer(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-consumer-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(resolve('.'), join(dir, 'node_modules', 'toolwire'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  return dir;
}

test.runIf(process.platform !== 'win32')('dist/cli.js can be run by its name', () => {
  expect(readFileSync(join(dist, 'cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(statSync(join(dist, 'cli.js')).mode & 0o111).toBe(0o111);
});

test('the built program loads a TypeScript module and ends its endless loop', () => {
  const dir = dataDirWith({
    'sample.js': sampleModule,
    'typed.ts':
      'enum A { B = 7 }\nexport default { methods: { b: { description: "x", handler: (): number => A.B } } };',
  });
  const cli = join(dist, 'cli.js');
  expect(node([cli, 'call', 'typed_b', '--data-dir', dir])).toEqual({ status: 0, stdout: '7\n', stderr: '' });
  expect(node([cli, 'call', 'sample_spin', '--timeout', '300', '--data-dir', dir])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(timeout)'),
  });
});

test('the host needs no package beside it but Electron', () => {
  const files = [...readdirSync(dist).map((name) => join(dist, name)), join(dist, 'electron', 'main.js')];
  const foreign = new Set<string>();
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^"']*?["']([^"']+)["'];?$/gm,
    ))
      if (!specifier.startsWith('.') && !isBuiltin(specifier)) foreign.add(specifier);
  }
  expect([...foreign]).toEqual(['electron']);
});

test('the preload is one CommonJS file that asks for Electron alone', () => {
  expect(readdirSync(join(dist, 'preload'))).toEqual(['preload.cjs']);
  const source = readFileSync(join(dist, 'preload', 'preload.cjs'), 'utf8');
  expect([...source.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, name]) => name)).toEqual(['electron']);
  expect(source).not.toMatch(/^(import|export) /m);
});

test('the window keeps to its policy: no inline script, no compiled code, paths that both shells can serve', () => {
  const html = readFileSync(join(dist, 'renderer', 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(
    [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url).filter((url) => !url!.startsWith('./')),
  ).toEqual([]);
  for (const name of readdirSync(join(dist, 'renderer', 'assets')).filter((each) => each.endsWith('.js')))
    expect(readFileSync(join(dist, 'renderer', 'assets', name), 'utf8'), name).not.toMatch(
      /\bnew Function\(|[^\w.$]eval\(/,
    );
});

const script = `import { createToolRegistryManager, createVcpProtocol, createProtocolRegistry, defineToolRegistry, formatToolRequest, parseVcp, processToolCallCycle } from 'toolwire/core';
`;

test('toolwire/core runs the whole cycle in another project', () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.js'),
    `${script}
    const text = formatToolRequest({ toolName: 'lamp_set', args: { level: '50' } });
    console.log(parseVcp(text).requests[0].toolName, typeof processToolCallCycle, typeof createToolRegistryManager().register);
  `,
  );
  expect(node(['use.js'], dir)).toEqual({ status: 0, stdout: 'lamp_set function function\n', stderr: '' });
});

test('toolwire/core has types, without skipLibCheck', () => {
  const dir = consumer();
  writeFileSync(
    join(dir, 'use.ts'),
    `import { createToolRegistryManager, parseVcp, ToolError, type ToolRegistry, type VcpParseResult } from 'toolwire/core';
     const result: VcpParseResult = parseVcp('x');
     const ids: string[] = createToolRegistryManager().getAllTools().map((tool: ToolRegistry) => tool.id);
     export const code: 'timeout' extends ToolError['code'] ? true : false = true;
     // A type that is any would let this pass.
     export const wrong: number = result.requests.length + ids.length;
     export type Checked = VcpParseResult['dialect'] extends 'standard' | 'vcptoolbox' | 'vcptoolbox-fuzzy' | 'aiohub' ? 'yes' : never;
     export const checked: Checked = 'yes';\n`,
  );
  writeFileSync(
    join(dir, 'wrong.ts'),
    `import { parseVcp } from 'toolwire/core';\nexport const text: string = parseVcp('x');\n`,
  );
  // Only the wrong file has an error.
  expect(node([...strictTsc, '--typeRoots', resolve('node_modules/@types'), 'use.ts', 'wrong.ts'], dir).stdout).toMatch(
    /^wrong\.ts.*VcpParseResult.*\n$/,
  );
});
