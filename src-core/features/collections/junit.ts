import { stripVTControlCharacters } from 'node:util';

import type { CallReport } from '../../contract/collections.ts';
import type { RunReport } from './report.ts';

/** Runs as JUnit XML, as CI systems read it: a suite a collection, a test case a call. */
export function toJUnit(runs: readonly RunReport[]): string {
  const all = runs.flatMap(({ calls }) => calls);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'toolwire test', ...counts(all, runs.filter(isBroken).length) })}>`,
    ...runs.map(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(run: RunReport): string {
  const { name, environment, calls, error } = run;
  // The schema knows no fraction and no zone.
  const timestamp = new Date(run.startedAt).toISOString().slice(0, 19);
  const skipped = calls.filter(({ verdict }) => verdict === 'skipped').length;
  const head = { name, ...counts(calls, isBroken(run) ? 1 : 0), skipped, timestamp, hostname: 'localhost' };
  const property = attributes({ name: 'environment', value: environment ?? '' });
  return [
    `  <testsuite${attributes(head)}>`,
    ...(environment === undefined ? [] : [`    <properties>\n      <property${property}/>\n    </properties>`]),
    ...calls.map((call) => testCase(name, call)),
    ...(error === undefined ? [] : [brokenCase(name, error)]),
    '  </testsuite>',
  ].join('\n');
}

function testCase(suiteName: string, call: CallReport): string {
  const { name, file, verdict, checks, durationMs = 0, message = '' } = call;
  const lines = [`    <testcase${attributes({ name, classname: `${suiteName}.${file}`, time: seconds(durationMs) })}>`];
  if (verdict === 'skipped') lines.push(`      <skipped${attributes({ message })}/>`);
  if (verdict === 'failed') {
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    const words = [...failed.map((check) => check.message), ...(message === '' ? [] : [message])];
    const [first = 'It failed.'] = words;
    lines.push(
      `      <failure${attributes({ message: first, type: failureType(call) })}>${escaped(words.join('\n'))}</failure>`,
    );
  }
  lines.push(`      <system-out>${escaped(output(call))}</system-out>`, '    </testcase>');
  return lines.join('\n');
}

function isBroken({ error }: RunReport): boolean {
  return error !== undefined;
}

/** A run that ended before its end has a test case of its own for it: CI systems show no other place. */
function brokenCase(suiteName: string, message: string): string {
  return [
    `    <testcase${attributes({ name: 'The run as a whole', classname: suiteName, time: seconds(0) })}>`,
    `      <error${attributes({ message, type: 'ended-early' })}/>`,
    '    </testcase>',
  ].join('\n');
}

function failureType({ trouble, errorCode, checks }: CallReport): string {
  return trouble ?? errorCode ?? checks.find(({ outcome }) => outcome === 'failed')?.assertion.check ?? 'failed';
}

function output({ tool, argsJson, result, warnings = [], checks }: CallReport): string {
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped').map(({ message }) => `skipped: ${message}`);
  return [
    ...(tool === undefined ? [] : [`${tool} ${argsJson ?? ''}`]),
    ...(result === undefined ? [] : [result]),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...skipped,
  ].join('\n');
}

function counts(calls: readonly CallReport[], errors: number): Record<string, string | number> {
  return {
    tests: calls.length + errors,
    failures: calls.filter(({ verdict }) => verdict === 'failed').length,
    errors,
    time: seconds(calls.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
  };
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  const quoted = (text: string): string =>
    escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${quoted(String(value))}"`)
    .join('');
}

/** XML 1.0 has no way to write most control characters, half pairs and two more; terminals would obey some of them. */
function escaped(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
