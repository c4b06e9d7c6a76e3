import { load } from 'js-yaml';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  'timeout-minutes'?: number;
  needs?: string | string[];
  'runs-on'?: string;
  strategy?: { matrix: { include: Record<string, string>[] } };
  /** Absent where another workflow is called. */
  steps?: Step[];
  uses?: string;
  with?: Record<string, unknown>;
  secrets?: unknown;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const dir = '.github/workflows';
const names = readdirSync(dir).sort();
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

function read(name: string): Workflow {
  return load(readFileSync(join(dir, name), 'utf8')) as Workflow;
}

/** What the actions take that we give them: their own `action.yml`, at the versions that are pinned. */
const inputs: Record<string, string[]> = {
  'actions/checkout': ['persist-credentials', 'ref', 'fetch-depth'],
  'actions/setup-node': ['node-version', 'node-version-file', 'cache', 'cache-dependency-path', 'check-latest'],
  'actions/upload-artifact': [
    'name',
    'path',
    'if-no-files-found',
    'retention-days',
    'include-hidden-files',
    'overwrite',
  ],
  'actions/attest-build-provenance': ['subject-path'],
  'actions/download-artifact': ['name', 'path', 'pattern', 'merge-multiple'],
};

test('one for changes, one for the real Electron, one for packages, one for releases', () => {
  expect(names).toEqual(['ci.yml', 'electron.yml', 'package.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const text = readFileSync(join(dir, name), 'utf8');
  const workflow = read(name);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps ?? []);

  test('every action is pinned to a commit, with its version beside it; the same version everywhere', () => {
    for (const [line] of text.matchAll(/^.*\buses: (?!\.\/).*$/gm))
      expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const everywhere = names.map((each) => readFileSync(join(dir, each), 'utf8')).join('\n');
    for (const action of Object.keys(inputs)) {
      const pins = [...everywhere.matchAll(new RegExp(`${action}@.*$`, 'gm'))].map(([pin]) => pin);
      expect(new Set(pins).size, action).toBe(1);
    }
  });

  test('an action is given only what it takes', () => {
    for (const { uses, with: given = {} } of steps)
      if (uses !== undefined)
        expect(inputs[uses.split('@', 1)[0]!], uses).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  test('a called workflow exists, is callable and declares its inputs', () => {
    for (const [, { uses, with: given = {} }] of jobs) {
      if (uses === undefined) continue;
      const called = read(uses.replace(`./${dir}/`, ''));
      expect(called.on).toHaveProperty('workflow_call');
      const takes = (called.on['workflow_call'] as { inputs?: object } | null)?.inputs ?? {};
      expect(Object.keys(takes)).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });

  test('may only read, except to draft a release', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [job, { permissions }] of jobs) {
      if (permissions !== undefined)
        expect([name, job, permissions]).toEqual([
          'release.yml',
          'draft',
          { contents: 'write', 'id-token': 'write', attestations: 'write' },
        ]);
    }
    for (const { uses, with: options } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(options?.['persist-credentials']).toBe(false);
  });

  test('no job hangs, and no change of a stranger runs with our rights', () => {
    for (const [, job] of jobs) if (job.uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  test('secrets go into the environment of one step, of a guarded job, and are not printed', () => {
    for (const [, job] of jobs)
      for (const step of job.steps ?? []) {
        const { env = {}, ...rest } = step;
        expect(JSON.stringify(rest)).not.toMatch(/secrets\.|github\.token/);
        const secret = Object.entries(env).filter(([, value]) => /secrets\./.test(String(value)));
        if (secret.length > 0) expect(job.environment).toBe('${{ inputs.environment }}');
        for (const [variable] of secret) expect(step.run).not.toMatch(new RegExp(`(echo|cat|env)[^\\n|]*${variable}`));
        expect(step.run ?? '').not.toMatch(/set -x|printenv|\benv\s*$/m);
      }
  });

  test('no text of an event is pasted into a command', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{/);
  });

  test('every script that it runs exists', () => {
    const commands = steps.flatMap(({ run }) => run ?? []).join('\n');
    for (const [, script] of commands.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script ?? '');
    for (const [path] of commands.matchAll(/(?:electron|tests)\/[\w/.]+\.ts/g))
      expect(existsSync(path), path).toBe(true);
  });
});

describe('packages', () => {
  const { jobs, on } = read('package.yml');
  const commands = (job: string): string => jobs[job]!.steps!.flatMap(({ run }) => run ?? []).join('\n');

  test('are made for all three systems for every change, and started: both Linux ones, the installer, and dmg and zip for both processors', () => {
    expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request', 'workflow_call']));
    expect(jobs['package']!.strategy!.matrix.include.map(({ target }) => target)).toEqual(['linux', 'win', 'mac']);
    expect(commands('package').match(/smokeStart\.ts/g)).toHaveLength(8);
    expect(jobs['intel']!['runs-on']).toBe('macos-15-intel');
    expect(commands('intel').match(/smokeStart\.ts/g)).toHaveLength(2);
  });

  test('signs if there is a certificate, and does not treat an empty one as a certificate', () => {
    const run = commands('package');
    expect(run).toContain('[ -n "$CSC_LINK" ] || unset CSC_LINK CSC_KEY_PASSWORD');
    expect(run).toContain('-c.forceCodeSigning=true');
    expect(run).toContain('checkUpdateFiles.ts release');
  });
});

test('a release waits for all checks and for the packages, and takes the secrets of its own environment', () => {
  const { jobs, on } = read('release.yml');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const uses = Object.fromEntries(Object.entries(jobs).map(([job, { uses: called }]) => [job, called]));
  expect(uses).toMatchObject({
    checks: './.github/workflows/ci.yml',
    electron: './.github/workflows/electron.yml',
    package: './.github/workflows/package.yml',
  });
  expect(jobs['package']).toMatchObject({ needs: ['checks', 'electron'], with: { environment: 'release' } });
  expect(jobs['draft']!.needs).toBe('package');
  // latest*.yml names the version of package.json: under another tag nothing would be where it says.
  for (const job of ['checks', 'electron']) expect(jobs[job]!.needs).toBe('version');
  expect(jobs['version']!.steps?.at(-1)?.run).toBe('test "v$(jq -r .version package.json)" = "$GITHUB_REF_NAME"');
});

test('the AppImage starts with and without user namespaces, and under a Wayland compositor', () => {
  const run = read('package.yml').jobs['package']!.steps!.find(({ name }) => name?.includes('AppImage'))!.run!;
  const [, restricted = '', free = ''] = run.split(/apparmor_restrict_unprivileged_userns=[01]/);
  expect(run.indexOf('userns=1')).toBeLessThan(run.indexOf('userns=0'));
  for (const part of [restricted, free]) expect(part).toContain('smokeStart.ts release/squashfs-root/AppRun');
  expect(run.slice(run.lastIndexOf('userns=1'))).toContain('smokeStart.ts release/*.AppImage');
  expect(run).toContain('weston --backend=headless');
  expect(run).toMatch(
    /env -u DISPLAY WAYLAND_DISPLAY=toolwire[^\n]* WAYLAND_DEBUG=1 \\\n *node [^\n]*AppRun --ozone-platform=wayland/,
  );
  expect(run).toContain('grep -q get_toplevel');
});

test('the signature of both packages for macOS is verified', () => {
  const { jobs } = read('package.yml');
  for (const job of ['package', 'intel'])
    expect(jobs[job]!.steps!.map(({ run }) => run).join()).toContain('codesign --verify --deep --strict');
});

test('modules are reloaded 200 times in the real Electron', () => {
  const runs = read('electron.yml').jobs['e2e']!.steps!.map(({ run }) => run ?? '');
  expect(runs.join('\n')).toContain('soakModules.ts 200 node_modules/electron/dist/electron .');
});

test('a release has a list of its components, and everything in it is attested before it is drafted', () => {
  const steps = read('release.yml').jobs['draft']!.steps!;
  const at = (fits: (step: Step) => boolean | undefined): number => steps.findIndex(fits);
  const list = at(({ run }) => run?.includes('npm sbom'));
  const attest = at(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
  const draft = at(({ run }) => run?.includes('gh release create'));
  expect([list, attest, draft]).toEqual([list, list + 1, list + 2]);
  expect(list).toBeGreaterThan(0);
  expect(steps[attest]!.with).toEqual({ 'subject-path': 'packages/*' });
  const { stdout } = spawnSync('npm', /(?<=npm )sbom [^>]*/.exec(steps[list]!.run!)![0].trim().split(' '), {
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: { purl: string }[] };
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ purl }) => purl);
  for (const name of ['vue', 'electron', 'ws']) expect(names.join(' ')).toContain(`pkg:npm/${name}@`);
});

test('dependencies and actions are updated weekly, in groups; Electron’s major version is raised by hand', () => {
  const { updates } = load(readFileSync('.github/dependabot.yml', 'utf8')) as {
    updates: {
      'package-ecosystem': string;
      schedule: { interval: string };
      groups: object;
      ignore?: { 'dependency-name': string; 'update-types': string[] }[];
    }[];
  };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
  for (const { schedule, groups } of updates) {
    expect(schedule.interval).toBe('weekly');
    expect(Object.keys(groups)).toHaveLength(1);
  }
  expect(updates[0]!.ignore).toContainEqual({
    'dependency-name': 'electron',
    'update-types': ['version-update:semver-major'],
  });
});
