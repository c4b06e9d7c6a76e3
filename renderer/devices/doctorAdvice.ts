import type { DoctorCause } from '../../src-core/api/types.ts';
import { t } from '../i18n/index.ts';

/** What the doctor says of a cause, in the window's language. */
export interface DoctorAdvice {
  what: string;
  /** What usually leads to it. */
  causes: string[];
  next: string;
}

/** Words the engine's diagnosis of a device: Devices and the Executor say the same of one event. */
export function doctorAdvice(cause: DoctorCause): DoctorAdvice {
  return {
    what: t(`devices.doctor.cause.${cause}.what`),
    causes: t(`devices.doctor.cause.${cause}.why`).split('\n'),
    next: t(`devices.doctor.cause.${cause}.next`),
  };
}
