import type { Assertion } from '../../../../src-core/contract/types.ts';
import { formatDuration } from '../../../ui/format/formatDuration.ts';
import { shorten } from '../../../ui/format/shorten.ts';
import { visibleText } from '../../../ui/format/visibleText.ts';
import { t } from '../../../i18n/index.ts';
import { writeValue } from '../save/assertionText.ts';

/** Characters of a value; the rest is cut. */
const mostShown = 200;

/** What an assertion expects, after its kind and its path; empty for a schema. */
export function wordExpected(assertion: Assertion): string {
  switch (assertion.check) {
    case 'status':
      return assertion.is;
    case 'softFailure':
      return t(assertion.is ? 'saved.check.yes' : 'saved.check.no');
    case 'path': {
      const { op, value } = assertion;
      if (op === 'exists') return t(value === false ? 'saved.check.ops.absent' : 'saved.check.ops.exists');
      return `${t(`saved.check.ops.${op}`)} ${visibleText(shorten(writeValue(value), mostShown))}`;
    }
    case 'schema':
      return '';
    case 'duration': {
      const { atMostMs, atMostTimesMedian } = assertion;
      const limit =
        atMostMs === undefined ? `${atMostTimesMedian} ${t('saved.check.median')}` : formatDuration(atMostMs);
      return `${t('saved.check.ops.atMost')} ${limit}`;
    }
  }
}
