import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

import { toJUnit } from '../../../../src-core/features/collections/junit.ts';
import type { CallReport } from '../../../../src-core/contract/collections.ts';
import type { RunReport } from '../../../../src-core/features/collections/report.ts';

/** jsdom brings no types of its own. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new (text: string, options: { contentType: string }) => { window: { document: Document } };
};

function call(change: Partial<CallReport> = {}): CallReport {
  return {
    file: 'a.call.json',
    name: 'A',
    verdict: 'passed',
    tool: 't',
    argsJson: '{}',
    durationMs: 1_500,
    checks: [],
    ...change,
  };
}

function parsed(calls: CallReport[], change: Partial<RunReport> = {}): Document {
  const text = toJUnit([{ name: 'Lab', startedAt: 1_700_000_000_000, calls, ...change }]);
  return new JSDOM(text, { contentType: 'text/xml' }).window.document;
}

const names = (element: Element): string[] => [...element.attributes].map(({ name }) => name);

test('suites, suites of calls and their counts, as the usual schema has them', () => {
  const document = parsed(
    [call(), call({ verdict: 'failed', message: 'no' }), call({ verdict: 'skipped', message: 'asks' })],
    { environment: 'live' },
  );
  const root = document.documentElement;
  expect(root.tagName).toBe('testsuites');
  expect(names(root)).toEqual(['name', 'tests', 'failures', 'errors', 'time']);
  const [suite] = root.children;
  expect(suite!.outerHTML).toMatch(/^<testsuite [^>]*tests="3" failures="1" errors="0" time="4.500" skipped="1"/);
  expect(suite!.getAttribute('timestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect([...suite!.children].map(({ tagName }) => tagName)).toEqual([
    'properties',
    'testcase',
    'testcase',
    'testcase',
  ]);
  for (const testCase of document.querySelectorAll('testcase'))
    expect(names(testCase)).toEqual(['name', 'classname', 'time']);
  expect(document.querySelector('failure')!.getAttribute('message')).toBe('no');
  expect(document.querySelector('skipped')!.getAttribute('message')).toBe('asks');
});

test('a run that ended early contains the calls that ran, and an error', () => {
  const document = parsed([call()], { error: 'The engine <went> away.' });
  const [suite] = document.documentElement.children;
  expect(document.documentElement.outerHTML).toMatch(/^<testsuites [^>]*tests="2" failures="0" errors="1"/);
  expect(suite!.outerHTML).toMatch(/^<testsuite [^>]*tests="2" failures="0" errors="1"/);
  expect(document.querySelectorAll('testcase')).toHaveLength(2);
  expect(document.querySelector('testcase > error')!.getAttribute('message')).toBe('The engine <went> away.');
});

test('a result that does not fit its outputSchema is a warning in the output of a call that passes', () => {
  const document = parsed([
    call({ result: '{}', warnings: ['The result does not fit the outputSchema. n: is missing'] }),
  ]);
  expect(document.querySelector('failure')).toBeNull();
  expect(document.querySelector('system-out')!.textContent).toBe(
    't {}\n{}\nwarning: The result does not fit the outputSchema. n: is missing',
  );
});

test('whatever a device says, the report is well-formed and commands no terminal', () => {
  const nasty = 'a<b>&"\'\u0000\u001b[31m\ud800\uffff]]>\n\t<!-- ';
  const document = parsed([
    call({
      name: nasty,
      verdict: 'failed',
      message: nasty,
      result: nasty,
      argsJson: nasty,
      checks: [
        { assertion: { check: 'softFailure', is: false }, outcome: 'failed', reason: 'soft-failure', message: nasty },
      ],
    }),
  ]);
  const shown = 'a<b>&"\'\ufffd]]>\n\t<!-- ';
  expect(document.querySelector('testcase')!.getAttribute('name')).toBe(shown);
  expect(document.querySelector('failure')!.getAttribute('message')).toBe(shown);
  expect(document.querySelector('failure')!.textContent).toBe(`${shown}\n${shown}`);
  expect(document.querySelector('failure')!.getAttribute('type')).toBe('softFailure');
  expect(document.querySelector('system-out')!.textContent).toBe(`t ${shown}\n${shown}`);
});
