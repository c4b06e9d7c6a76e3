import type { DoctorCause, FrameFault } from '../../../src-core/contract/types.ts';
import { frameFaultCauses } from './frameFaultCauses.ts';
import { t } from '../../i18n/index.ts';

/** What the doctor says of a cause, in the window's language. */
export interface DoctorAdvice {
  what: string;
  /** What usually leads to it. */
  causes: string[];
  next: string;
}

/**
 * Words the engine's diagnosis of a device: Devices and the Executor say the same of one event. `faults` are those of the
 * frames that could not be read, if that is the diagnosis.
 */
export function doctorAdvice(cause: DoctorCause, faults: readonly FrameFault[] = []): DoctorAdvice {
  const [fault, ...others] = faults;
  return {
    what: t(
      fault === undefined || others.length > 0
        ? `devices.doctor.cause.${cause}.what`
        : `devices.doctor.frameFault.${fault}`,
    ),
    causes: fault === undefined ? t(`devices.doctor.cause.${cause}.why`).split('\n') : faults.flatMap(frameFaultCauses),
    next: t(`devices.doctor.cause.${cause}.next`),
  };
}
