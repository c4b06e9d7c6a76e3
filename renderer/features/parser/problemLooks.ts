import { CircleAlert, Info, TriangleAlert } from '@lucide/vue';

/** Icon and colour class of each severity. */
export const problemLooks = {
  error: { icon: CircleAlert, tone: 'error' },
  warning: { icon: TriangleAlert, tone: 'warn' },
  info: { icon: Info, tone: 'info' },
} as const;

/** The severities, the worst first. */
export const problemSeverities = ['error', 'warning', 'info'] as const;
