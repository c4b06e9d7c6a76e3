import { load } from 'js-yaml';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  'timeout-minutes'?: number;
  steps: Step[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const dir = '.github/workflows';
const names = readdirSync(dir);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

test('there is one for changes, one for the real Electron, one for releases', () => {
  expect(names.sort()).toEqual(['ci.yml', 'electron.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const text = readFileSync(join(dir, name), 'utf8');
  const workflow = load(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  test('every action is pinned to a commit, with its version beside it', () => {
    for (const [line] of text.matchAll(/^.*\buses:.*$/gm))
      expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('it may read, and nothing more but where a release is drafted', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [job, { permissions }] of jobs) {
      if (permissions !== undefined)
        expect([name, job, permissions]).toEqual(['release.yml', 'draft', { contents: 'write' }]);
    }
    for (const { uses, with: options } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(options?.['persist-credentials']).toBe(false);
  });

  test('no job hangs, and no change of a stranger runs with our rights', () => {
    for (const [, job] of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  test('secrets go into the environment of one step, of a guarded job, and are not printed', () => {
    for (const [, job] of jobs)
      for (const step of job.steps) {
        const { env = {}, ...rest } = step;
        expect(JSON.stringify(rest)).not.toMatch(/secrets\.|github\.token/);
        const secret = Object.entries(env).filter(([, value]) => /secrets\./.test(String(value)));
        if (secret.length > 0) expect(job.environment).toBe('release');
        for (const [variable] of secret) expect(step.run).not.toMatch(new RegExp(`(echo|cat|env)[^\\n|]*${variable}`));
        expect(step.run ?? '').not.toMatch(/set -x|printenv|\benv\s*$/m);
      }
  });

  test('no text of an event is pasted into a command', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{/);
  });

  test('what it runs is there', () => {
    const commands = steps.flatMap(({ run }) => run ?? []).join('\n');
    for (const [, script] of commands.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script ?? '');
    for (const [path] of commands.matchAll(/(?:electron|tests)\/[\w/.]+\.ts/g))
      expect(existsSync(path), path).toBe(true);
  });
});

test('each package is started: AppImage, deb, installer, disk image', () => {
  const { jobs } = load(readFileSync(join(dir, 'release.yml'), 'utf8')) as Workflow;
  const commands = jobs['package']!.steps.flatMap(({ run }) => run ?? []).join('\n');
  expect(commands.match(/smokeStart\.ts/g)).toHaveLength(4);
});
