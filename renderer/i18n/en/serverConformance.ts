/** The tab Conformance of a server. */
export const serverConformance = {
  revision: 'Revision',
  scenarios: 'Scenarios of the conformance suite',
  run: 'Run the suite',
  runAgain: 'Run again',
  runOne: 'Run this scenario',
  cancel: 'Cancel',
  isRunning: 'The suite is running.',
  notRun: 'The conformance suite did not run',
  needsReady: 'The server must be ready first.',
  progress: '{done} of {total} · {scenario}',
  summary: '{passed} of {total} that apply passed · {time}',
  cancelled: 'The last run was cancelled. The other scenarios keep their earlier results.',
  bridge:
    'The suite uses HTTP. Toolwire forwards its messages unchanged to separate processes or connections of the server. Scenarios about HTTP itself are not applicable.',
  none: 'There are no scenarios.',
  notYet: 'This scenario has not run yet.',
  unscored: 'not required',
  verdict: { passed: 'Passed', failed: 'Failed', gap: 'Not applicable', none: 'Not run' },
  status: { success: 'Passed', failure: 'Failed', warning: 'Warning', skipped: 'Skipped', info: 'Note' },
  group: {
    faults: 'Faults',
    passed: 'Passed',
    fixtures: 'Needs the suite’s fixtures',
    notApplicable: 'Not applicable',
    notRun: 'Not run',
  },
  groupHint: {
    fixtures:
      'A server that was not written for the suite does not have these names, so these scenarios fail as expected.',
    notApplicable: 'Another transport, or a capability that the server does not declare.',
  },
  gap: {
    fixtures:
      'The scenario calls names that only servers for the suite have. Missing here: {missing}. Its verdict does not apply to the server.',
    capability: 'The server does not declare the optional capability {missing}.',
    http: 'The scenario is about the HTTP transport. It tested Toolwire’s bridge, not the server.',
    loopback: 'The scenario is about servers on this computer.',
  },
  references: 'Specification:',
  details: 'Details of the check',
  frames: 'No frames | {n} frame | {n} frames',
};
